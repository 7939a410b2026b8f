/* sluice/batch.h: all sequences of a step in one call, and draft tokens. Part of sluice.h, which includes it; its
 * conventions hold here.
 *
 * The answers are those of single calls. A batch of one costs little more than a single call, a larger one less:
 * threads are woken only for work that is worth it. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_BATCH_H
#define SLUICE_BATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of sluice_batch.flags. */
enum {
  SLUICE_BATCH_SKIP_ZERO =
      1, /* a matcher that is 0 is nobody: its status is SLUICE_OK and nothing else of it is written;
                                 without it it is SLUICE_E_HANDLE */
  SLUICE_BATCH_GO_ON =
      2 /* only matchers whose status in statuses is SLUICE_E_UNFINISHED are served; the others' statuses
                            and results stay as they are, and what is returned is about those that are served */
};

/* sluice_batch: the matchers of a step and what to do with them. Zero it, fill it in once, change what changes from
 * step to step.
 * since 0.1 */
typedef struct sluice_batch {
  uint32_t struct_size;
  uint32_t threads;               /* at most so many; 0: as many as the process may use (its CPU quota counts) */
  size_t n;                       /* matchers, at most 1,048,576 */
  const sluice_matcher *matchers; /* n of them */
  const int32_t *rows;            /* n of them: the row of matcher i; NULL: i. Rows that are not named stay untouched */
  uint32_t *masks;                /* the first word of row 0 */
  size_t n_rows;                  /* rows in masks */
  size_t row_words;               /* words from one row to the next, at least words */
  size_t words;                   /* words of a row to write, at least mask_words */
  sluice_status *statuses;        /* optional; n of them, always written once the call's own parameters are right */
  uint8_t *constrained;   /* optional; n of them, as in sluice_matcher_fill, written where the status is SLUICE_OK */
  const int32_t *ids;     /* tokens, one after the other: first those of matcher 0, then those of matcher 1, … */
  const uint32_t *counts; /* n of them: how many of ids each matcher has, or how many steps are taken back; NULL: one */
  uint32_t *done;  /* optional; n of them: how many ids were accepted or are allowed, how many nodes reached; written
                             with SLUICE_OK, _REJECTED and _LIMIT */
  uint8_t *states; /* optional; n of them: SLUICE_STATE_* after the call, written where a matcher was served */
  uint32_t flags;  /* SLUICE_BATCH_* */
  uint32_t reserved;
} sluice_batch;

/* sluice_batch_fill: sluice_matcher_fill for many matchers at once, on the library's own threads as well as the
 * caller's.
 * returns    SLUICE_OK if all rows were filled; else the first status (by index) that is not SLUICE_OK, with error
 *            about that row: SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE;
 *            SLUICE_E_LIMIT, as sluice_matcher_fill. A failed row is untouched and takes no other row down. A matcher
 *            named twice is SLUICE_E_BUSY for its second row; two matchers with one row are SLUICE_E_ARGUMENT for the
 *            second. SLUICE_E_ARGUMENT for the call as a whole writes nothing, statuses neither.
 * threads    the matchers of a batch are in use until it returns.
 * cost       one call per step; no allocation after warm-up. 0.1 to 1 µs for a row that was met before, most of it to
 *            copy the row; another thread is woken where more than 0.15 ms of such rows are left, or 20 µs of others.
 *            since 0.1 */
sluice_status sluice_batch_fill(const sluice_batch *batch, sluice_error *error);

/* sluice_batch_keys: sluice_matcher_mask_key for many matchers at once.
 * batch      rows, masks, n_rows, row_words, words and constrained are not looked at.
 * keys       the caller's, batch->n of them; key i is that of matcher i, none where its status is not SLUICE_OK.
 * returns    as sluice_batch_fill.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_keys(const sluice_batch *batch, sluice_mask_key *keys, sluice_error *error);

/* sluice_batch_try_fill, sluice_batch_try_keys: their calls with a patience (see "calls that may take long"). Rows that
 * were filled stay filled; the status of those that were not is SLUICE_E_UNFINISHED: call again with
 * SLUICE_BATCH_GO_ON.
 * returns    as the call without try_; SLUICE_E_UNFINISHED, where nothing has failed.      since 0.1 */
sluice_status sluice_batch_try_fill(const sluice_batch *batch, uint32_t patience, sluice_error *error);
sluice_status sluice_batch_try_keys(const sluice_batch *batch, sluice_mask_key *keys, uint32_t patience,
                                    sluice_error *error);

/* sluice_batch_accept: sluice_matcher_accept for many matchers at once, each with its own of batch->ids.
 * batch      rows, masks, n_rows, row_words, words and constrained are not looked at, here and in the next two calls.
 * patience   as in "calls that may take long": UINT32_MAX is as long as it takes.
 * returns    SLUICE_OK if all ids were accepted; else the first status (by index) that is a failure, with
 *            error about that matcher: SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT; else
 *            SLUICE_E_UNFINISHED (some matchers have not moved yet), else SLUICE_E_REJECTED.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_accept(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_batch_validate: sluice_matcher_validate for many matchers at once.
 * returns    as sluice_batch_accept.      since 0.1 */
sluice_status sluice_batch_validate(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_batch_rollback: sluice_matcher_rollback for many matchers at once; counts says how many steps.
 * returns    SLUICE_OK; else the first status (by index) that is not, with error about that matcher: SLUICE_E_HANDLE;
 *            SLUICE_E_ARGUMENT; SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_batch_rollback(const sluice_batch *batch, sluice_error *error);

/* sluice_batch_fill_chains: masks for draft tokens, of which each matcher has counts[i] in ids: so many rows and one
 * more. The first is that of sluice_matcher_fill; the others are what it would write after one more of the drafts. No
 * matcher moves, and drafts may go across the end.
 * batch      rows[i] is the first row of matcher i, whose others follow; NULL: they follow those of matcher i − 1.
 *            done[i] is how many drafts are allowed, one after the other. Rows behind the first that is not allow every
 *            token: what is sampled there is thrown away.
 * patience   as sluice_batch_accept.
 * returns    as sluice_batch_fill, also where rows overlap; SLUICE_E_UNFINISHED. Drafts that are not allowed are an
 *            answer: SLUICE_OK. SLUICE_E_LIMIT also where the masks and drafts of one matcher take more than one and a
 *            half times mask_budget. Of a matcher that fails the first done[i] rows are written, and no others.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_fill_chains(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_trees: draft tokens that branch, one tree for each matcher of a batch, all with so many nodes. Node 0 is the
 * token that was accepted last, the others are drafts. −1 in next_token and next_sibling is no node; nodes to which
 * nothing leads may be there.
 * since 0.1 */
typedef struct sluice_trees {
  uint32_t struct_size;
  uint32_t nodes;              /* of each tree, its root included */
  const int64_t *next_token;   /* the first child of each node */
  const int64_t *next_sibling; /* the next child of the same parent */
  const int64_t *tokens;       /* the draft at each node; that of node 0 is not looked at */
  size_t stride;               /* elements from one tree to the next, in all three; 0: nodes */
} sluice_trees;

/* sluice_batch_fill_trees: masks for draft tokens that branch. Row k of a matcher is what sluice_matcher_fill would
 * write after the drafts on the way to node k. No matcher moves.
 * batch      rows[i] is the first row of matcher i, NULL: i * nodes. done[i] is how many nodes allowed drafts lead to,
 *            the root included. Rows of other nodes allow every token. ids and counts are not looked at.
 * patience   as sluice_batch_accept.
 * returns    as sluice_batch_fill_chains. A tree whose indices are no tree is SLUICE_E_ARGUMENT for its matcher, and
 *            no row is written. Of a matcher that fails otherwise some rows may be written.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_fill_trees(const sluice_batch *batch, const sluice_trees *trees, uint32_t patience,
                                      sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_BATCH_H */
