/* sluice/captures.h: texts that rules captured, temperatures, and why a token is allowed. Part of sluice.h, which
 * includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_CAPTURES_H
#define SLUICE_CAPTURES_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_capture: the text of one captured rule. Name and text are offsets into the bytes that are written with it. It
 * never grows, since callers pass arrays of it.
 * since 0.1 */
typedef struct sluice_capture {
  size_t name; /* offset of the name */
  size_t name_length;
  size_t text; /* offset of the text */
  size_t text_length;
} sluice_capture;

/* sluice_matcher_captures: writes the texts of captured rules so far, in the order in which the rules ended. If the
 * output may not end here, a rule that may end counts with its text so far. If the output has several readings, the
 * same one is taken always: captured rules begin as early as possible, the first before the second, and are then as
 * long as possible.
 * captures   your buffer of capacity captures; further ones are left out. May be NULL with capacity 0.
 * n          the number of captures.
 * bytes      your buffer of size bytes for names and texts, which are cut at its end. May be NULL with size 0.
 * length     the number of bytes of all names and texts.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (the output has too many
 *            readings, or the captures are too long).
 * threads    one at a time per matcher.
 * cost       reads the whole output each time; nothing while tokens are accepted.      since 0.1 */
sluice_status sluice_matcher_captures(sluice_matcher matcher, sluice_capture *captures, size_t capacity, size_t *n,
                                      uint8_t *bytes, size_t size, size_t *length, sluice_error *error);

/* sluice_matcher_temperature: writes the temperature that the grammar sets for the next token: the one of the innermost
 * rule that has one, and the greatest if the output has several readings.
 * temperature  0 if there is none.
 * some         1 if a rule sets one, else 0, as after the end.
 * returns      SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY.
 * threads      one at a time per matcher.
 * cost         none in a grammar without temperatures.      since 0.1 */
sluice_status sluice_matcher_temperature(sluice_matcher matcher, double *temperature, uint32_t *some,
                                         sluice_error *error);

/* sluice_matcher_explain: says in a sentence why a token is allowed next or why not: the byte that is refused, the
 * parts of the constraint that are expected there, and the parts that the output still lacks. It is the member sentence
 * of sluice_matcher_explanation, at the same cost.
 * text       your buffer of capacity bytes, UTF-8; a longer text is cut. No NUL is added. May be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (id < 0 or ≥ padded_size); SLUICE_E_BUSY; SLUICE_E_LIMIT.
 * threads    one at a time per matcher.
 * since 0.1 */
sluice_status sluice_matcher_explain(sluice_matcher matcher, int32_t id, char *text, size_t capacity, size_t *length,
                                     sluice_error *error);

/* sluice_matcher_explanation: says as JSON why a token or a text may come next or why not. The object describes the
 * place at "offset", the first byte that no output has there, or the end of an allowed token or text. Its members:
 *   allowed   whether the matcher would accept it
 *   offset    0 for a token that is refused for another reason than its text
 *   ends      whether the output may end there
 *   bytes     the bytes that may come there, as a class such as "[0-9]"; "" if there are none
 *   expected  the parts of the constraint that may come there, at most 8, the most specific first; each has text (in
 *             words), source (the kind of the constraint), pointer (a JSON pointer, or null), keyword, value (of the
 *             keyword, shortened), rule, line and column (from 1; 0: none)
 *   missing   the parts that every output still writes from there on, at most 8; each has the same members, kind
 *             ("text", "characters", "property", "properties", "items", "part"), name and count
 *   forced    the text that every output continues with there, in base64
 *   sentence  all of it for people to read; its wording changes between versions
 * Later versions add members and kinds.
 * id         the token, if text is NULL.
 * text       size bytes of a text, as sluice_matcher_accept_bytes would take it; NULL: explain the token.
 * json       your buffer of capacity bytes, UTF-8; a longer text is cut. No NUL is added. May be NULL with capacity 0.
 * length     optional; the length of the whole JSON text.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (id < 0 or ≥ padded_size); SLUICE_E_BUSY; SLUICE_E_LIMIT.
 * threads    one at a time per matcher.
 * cost       slow; the first call for a grammar takes as long as a compilation. Nothing while tokens are accepted.
 * since 0.1 */
sluice_status sluice_matcher_explanation(sluice_matcher matcher, int32_t id, const uint8_t *text, size_t size,
                                         char *json, size_t capacity, size_t *length, sluice_error *error);

/* A bit of sluice_matcher_options.flags: the matcher keeps its output for sluice_matcher_output
 * and sluice_matcher_events, four bytes a token. */
enum { SLUICE_KEEP_OUTPUT = 4 };

/* sluice_matcher_output: the output so far: the bytes of all tokens and texts that were accepted, without reasoning and
 * up to the end of the sequence. A special token counts with the text that it spells. Rollback, reset and fork treat the
 * output as they treat the state. The last character may be incomplete, since a token may end within one.
 * bytes      the caller's, capacity of them; as much as fits is written; may be NULL with capacity 0.
 * length     optional; the length of the whole output.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (the matcher was made without SLUICE_KEEP_OUTPUT);
 *            SLUICE_E_BUSY.
 * cost       reads the whole output each time.      since 0.1 */
sluice_status sluice_matcher_output(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                    sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_CAPTURES_H */
