/* sluice/drafts.h: tokens that need no step of the model. Part of sluice.h, which includes it; its conventions hold here.
 *
 * Both calls need a vocabulary that was read with sluice_vocabulary_options.keep_tokenizer. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_DRAFTS_H
#define SLUICE_DRAFTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_matcher_forced_tokens: writes the forced text as tokens, cut as the model's own tokenizer cuts them. For every
 * continuation of the output, the tokenizer gives these tokens behind the text so far, and the matcher accepts them.
 * Accept them and call again for more. The end of the forced text is held back if the tokenizer could join it with later
 * text. There are no forced tokens if the tokenizer would join the text so far with the forced text, in reasoning, and
 * after the end.
 * ids        your memory for capacity tokens; more are cut. May be NULL with capacity 0.
 * n          how many there are, at most 4,096.
 * patience   in microseconds, as in "calls that may take long" of sluice.h.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (n is NULL; the vocabulary was read without its tokenizer);
 *            SLUICE_E_BUSY; SLUICE_E_UNFINISHED.
 * threads    one at a time per matcher.
 * cost       a microsecond if all is known.      since 0.1 */
sluice_status sluice_matcher_forced_tokens(sluice_matcher matcher, int32_t *ids, size_t capacity, size_t *n,
                                           uint32_t patience, sluice_error *error);

/* sluice_matcher_drafts: writes tokens that are likely to come next: the forced text, and beyond it gaps, quotes and
 * brackets of JSON as this output has laid them out so far, cut as the model's tokenizer would. Verify them as any draft
 * of speculative decoding, so the distribution of outputs stays. The matcher accepts them all, and does not move.
 * ids        your memory for k tokens.
 * n          how many there are, at most k.
 * patience   in microseconds, as in "calls that may take long" of sluice.h.
 * returns    as sluice_matcher_forced_tokens.
 * threads    one at a time per matcher.
 * cost       one to three microseconds if all is known.      since 0.1 */
sluice_status sluice_matcher_drafts(sluice_matcher matcher, int32_t *ids, size_t k, size_t *n, uint32_t patience,
                                    sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_DRAFTS_H */
