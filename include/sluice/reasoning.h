/* sluice/reasoning.h: free text before the constrained output. Part of sluice.h, which includes it; its conventions
 * hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_REASONING_H
#define SLUICE_REASONING_H

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of sluice_reasoning.flags. */
enum { SLUICE_REASONING_LIMITED = 1 /* the member budget applies */ };

/* sluice_reasoning: a sequence whose model reasons first, for sluice_matcher_options. During the reasoning masks allow
 * every token with a text, special tokens included, but no stop token. The reasoning ends, and the grammar begins, when
 * the tokens of `end` come in a row for the first time. Text of sluice_matcher_accept_bytes neither begins nor ends it
 * and is one step of it. Rollback, forks, batches and drafts work as without reasoning. If the marks of your model are
 * text and not tokens, use a structural tag.
 * since 0.1 */
typedef struct sluice_reasoning {
  uint32_t struct_size;
  uint32_t flags;      /* SLUICE_REASONING_* */
  const uint32_t *end; /* the tokens that end it, 1 to 64 */
  size_t n_end;
  /* The tokens by which the sequence may begin with reasoning, at most 64. A sequence that begins otherwise has none.
   * If the constrained output may begin with all of them too, they begin reasoning. None: the prompt ends with them, so
   * the sequence begins inside the reasoning. */
  const uint32_t *begin;
  size_t n_begin;
  uint32_t budget; /* tokens of reasoning, without begin, after which only `end` may come; below 2^21 */
  uint32_t reserved;
} sluice_reasoning;

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_REASONING_H */
