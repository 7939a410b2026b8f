/* sluice/stops.h: strings at which an output stops. Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_STOPS_H
#define SLUICE_STOPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The value of sluice_stop.string of an output that has not stopped. */
#define SLUICE_NO_STOP UINT32_MAX

/* sluice_stop: how an output stands to the stop strings of its matcher.
 * since 0.1 */
typedef struct sluice_stop {
  uint32_t string;    /* the index of the stop string that the output has stopped at, else SLUICE_NO_STOP */
  uint32_t behind;    /* bytes from the beginning of that string to the end of the output: cut so many from it */
  uint32_t held_back; /* bytes at the end of the output that may still become a stop string: do not send them yet */
  uint32_t reserved;
} sluice_stop;

/* sluice_matcher_set_stop_strings: makes the output stop at the first of these strings in text that is accepted after
 * this call. The string that ends first wins; of several with the same end the longest. The token in which it ends is
 * accepted whole. Behind it the output has ended, as behind an end token, whether the constraint is complete there or
 * not: masks allow the end tokens (with SLUICE_ALL_ALLOWED_AFTER_END every token), and calls accept the tokens of the
 * mask alone. Rollback goes back in front of the string, forks copy the strings, and a reset keeps them. An output that
 * has stopped stays so until it is rolled back.
 *
 * Only the text of sluice_matcher_output counts, so reasoning does not. Names of special tokens are no text, and no stop
 * string reaches across such a token. Events report the text in front of the string, and hold back text that may become
 * one.
 * strings    n of them in any encoding, at most 4,096 bytes together; with n = 0 earlier ones are removed.
 * lengths    in bytes.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (an empty string); SLUICE_E_BUSY; SLUICE_E_LIMIT (too many
 *            bytes). With a failure the earlier strings remain.
 * ownership  the strings are copied.
 * threads    one at a time per matcher.
 * cost       some microseconds and kilobytes for a few short strings, at most some milliseconds and 2 MiB; then a look-up
 *            for each byte of accepted text.      since 0.1 */
sluice_status sluice_matcher_set_stop_strings(sluice_matcher matcher, const uint8_t *const *strings,
                                              const size_t *lengths, size_t n, sluice_error *error);

/* sluice_matcher_stopped: writes how the output stands to its stop strings. SLUICE_STATE_STOPPED of sluice_matcher_state
 * only tells whether it has stopped.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY.
 * threads    one at a time per matcher.      since 0.1 */
sluice_status sluice_matcher_stopped(sluice_matcher matcher, sluice_stop *stop, sluice_error *error);

/* sluice_batch_set_stop_strings: sluice_matcher_set_stop_strings for many matchers in one call. After each step,
 * batch->stops tells how all outputs stand.
 * batch      counts has the number of strings of each matcher; NULL: one.
 * strings    first matcher 0's, then matcher 1's, …; also of places that are skipped.
 * lengths    in bytes.
 * returns    SLUICE_OK; else the first status by index that is not, with error about its matcher: SLUICE_E_HANDLE;
 *            SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT. Matchers that fail keep their strings and do not affect
 *            others.
 * ownership  the strings are copied.
 * threads    as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_set_stop_strings(const sluice_batch *batch, const uint8_t *const *strings,
                                            const size_t *lengths, sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_STOPS_H */
