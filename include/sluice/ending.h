/* sluice/ending.h: outputs that are complete within a number of tokens. Part of sluice.h, which includes it; its
 * conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_ENDING_H
#define SLUICE_ENDING_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_matcher_set_max_tokens: limits the sequence to n more tokens, the end token counted; 0 removes the limit. From
 * then on masks allow a token only if the output can still be completed with the tokens that are left behind it, and
 * calls that accept tokens take no other. So the output is complete when the tokens run out. No token is forced before
 * that needs it. Rollback and reset return the tokens of the steps that they take back; forks copy the limit. Tokens of
 * reasoning count. A text of sluice_matcher_accept_bytes counts as one token: set the limit again if it stands for
 * more.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE (not even the shortest output fits; the
 *            message says how many tokens it takes, and the earlier limit remains); SLUICE_E_LIMIT (no completion was
 *            found within the budget, or the vocabulary cannot spell one).
 * threads    one at a time per matcher.
 * cost       up to some milliseconds at a state's first question, then nothing. Masks cost nothing more while n exceeds
 *            the needs of all allowed tokens.      since 0.1 */
sluice_status sluice_matcher_set_max_tokens(sluice_matcher matcher, uint32_t n, sluice_error *error);

/* sluice_matcher_min_tokens: writes the number of tokens that complete the output from here, the end token counted: the
 * least number, or the number for a short completion if finding the least takes too much. It is 0 after the end.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (n is NULL); SLUICE_E_BUSY; SLUICE_E_LIMIT (as for
 *            sluice_matcher_set_max_tokens).
 * threads    one at a time per matcher.      since 0.1 */
sluice_status sluice_matcher_min_tokens(sluice_matcher matcher, uint32_t *n, sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_ENDING_H */
