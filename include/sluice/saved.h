/* sluice/saved.h: a compiler as a file, so that other processes start without its work. Part of sluice.h, which includes
 * it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_SAVED_H
#define SLUICE_SAVED_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_compiler_save: writes a compiler as a message sluice.v1.Compiler of protobuf, which
 * include/sluice/v1/compiler.proto describes: its vocabulary, and the token sets that its grammars share at present. It
 * holds no grammars. sluice_vocabulary_from_file and sluice_vocabulary_from_data read its vocabulary, and
 * sluice_compiler_load makes a compiler from it. Save it after the constraints that you expect have been compiled and
 * used: the other processes then find their token sets.
 * bytes      the first min(capacity, *length) bytes of the file; may be NULL if capacity is 0.
 * length     its whole length, 2 to 30 MB for 128,000 tokens; it may grow between two calls. May be NULL.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (bytes is NULL and capacity is not 0).
 * threads    any.
 * cost       10 ms of CPU for 128,000 tokens, in each call: pass memory that suffices.      since 0.1 */
sluice_status sluice_compiler_save(sluice_compiler compiler, uint8_t *bytes, size_t capacity, size_t *length,
                                   sluice_error *error);

/* sluice_compiler_load: makes a compiler as sluice_compiler_new does, with the work in a file of sluice_compiler_save.
 * The masks are the same. The call checks the file and returns; a thread then builds the trie of the tokens and the token
 * sets of common JSON, and the first compilation waits for it.
 * vocabulary the file's own, or one with the same hash that was read from its tokenizer.
 * bytes      the file. Its checksum finds damage, not intent: load only files that you trust, since the token sets in them
 *            decide masks. The vocabulary's hash must be the file's.
 * options    as for sluice_compiler_new; the file has none.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (also for a file of another vocabulary); SLUICE_E_SYNTAX (no
 *            such file, or one that is cut off); SLUICE_E_INVALID (a damaged file); SLUICE_E_UNSUPPORTED (a file of
 *            another version of Sluice); SLUICE_E_LIMIT (too many compilers).
 * ownership  bytes are copied; free the compiler with sluice_compiler_free; it keeps the vocabulary alive.
 * threads    any.
 * cost       a millisecond for 128,000 tokens, and nearly the CPU time of sluice_compiler_new in the other thread.
 *            since 0.1 */
sluice_status sluice_compiler_load(sluice_vocabulary vocabulary, const uint8_t *bytes, size_t length,
                                   const char *options, size_t options_length, sluice_compiler *compiler,
                                   sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_SAVED_H */
