/* sluice/batch.h: all sequences of a step in one call, and masks of draft tokens. Part of sluice.h, which includes it;
 * its conventions hold here.
 *
 * The results equal the results of single calls. A batch of one costs little more than a single call. The library
 * wakes its own threads only for work that is worth it. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_BATCH_H
#define SLUICE_BATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of sluice_batch.flags. */
enum {
  /* A matcher that is 0 is skipped: its status is SLUICE_OK, its other results are untouched. Without this flag its
   * status is SLUICE_E_HANDLE. */
  SLUICE_BATCH_SKIP_ZERO = 1,
  /* The call serves only matchers whose status in statuses is SLUICE_E_UNFINISHED, and its own status is about these.
   * The results of the others stay as they are. */
  SLUICE_BATCH_GO_ON = 2
};

/* sluice_batch: the matchers of a step and what to do with them. Zero it, fill it in once, and change what changes
 * between steps.
 * since 0.1 */
typedef struct sluice_batch {
  uint32_t struct_size;
  uint32_t threads;               /* the most to use; 0: as many as the process may (its CPU quota counts) */
  size_t n;                       /* matchers, at most 1,048,576 */
  const sluice_matcher *matchers; /* n of them */
  const int32_t *rows;            /* n of them: the row of matcher i; NULL: i. Other rows stay untouched */
  uint32_t *masks;                /* the first word of row 0 */
  size_t n_rows;                  /* rows in masks */
  size_t row_words;               /* words from one row to the next, at least words */
  size_t words;                   /* words of a row to write, at least mask_words */
  sluice_status *statuses;        /* optional; n of them, written unless a parameter of the call is wrong */
  uint8_t *constrained;   /* optional; n of them, as in sluice_matcher_fill, written if the status is SLUICE_OK */
  const int32_t *ids;     /* tokens, one after the other: first matcher 0's, then matcher 1's, … */
  const uint32_t *counts; /* n of them: the ids of each matcher, or the steps to take back; NULL: one */
  uint32_t *done;         /* optional; n of them: ids accepted or allowed, or nodes reached; written with SLUICE_OK,
                      _REJECTED and _LIMIT */
  uint8_t *states;        /* optional; n of them: SLUICE_STATE_* after the call, written for served matchers */
  uint32_t flags;         /* SLUICE_BATCH_* */
  uint32_t reserved;
  sluice_mask_key *row_keys; /* optional; n_rows of them, all 0 at first: the key of the mask that each row holds.
                      sluice_batch_fill and _try_fill do not write a row that holds its new mask already, and set the
                      keys of the others; calls for drafts zero the keys of their rows. Zero a key after you have
                      written its row yourself, and all of them when masks, row_words or words change */
  uint8_t *unchanged;  /* optional; n of them: 1 if the row was not written, for the reason above; else 0; written with
                      SLUICE_OK by sluice_batch_fill and _try_fill */
  float *temperatures; /* optional; n_rows of them: the temperature that the grammar sets for the token of each row, as
                      sluice_matcher_temperature. Calls that write masks set the elements of their rows. An element
                      stays if the grammar sets no temperature for its row */
  struct sluice_stop *stops; /* optional; n of them: how each output stands to its stop strings after the call (see
                      sluice/stops.h); written with SLUICE_OK, _REJECTED and _LIMIT */
} sluice_batch;

/* sluice_batch_fill: sluice_matcher_fill for many matchers in one call, on the caller's thread and the library's
 * own.
 * returns    SLUICE_OK if all rows were filled; else the first status by index that is not SLUICE_OK, with error about
 *            its matcher: SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE;
 *            SLUICE_E_LIMIT, as sluice_matcher_fill. A failed row is untouched and does not affect other rows. The
 *            second place with the same matcher is SLUICE_E_BUSY, the second with the same row SLUICE_E_ARGUMENT. If a
 *            parameter of the call itself is wrong, nothing is written, not even statuses.
 * ownership  the batch and its arrays are borrowed for the call.
 * threads    the matchers of a batch are in use until it returns.
 * cost       no allocation after warm-up. 0.1 to 1 µs for a cached row, most of it to copy the row, which row_keys
 *            saves for rows that stay the same. Another thread is
 *            woken if more than 0.15 ms of cached rows are left, or 20 µs of others.
 *            since 0.1 */
sluice_status sluice_batch_fill(const sluice_batch *batch, sluice_error *error);

/* sluice_batch_keys: sluice_matcher_mask_key for many matchers in one call.
 * batch      rows, masks, n_rows, row_words, words and constrained are not read.
 * keys       your buffer of batch->n keys; no key if the status is not SLUICE_OK.
 * returns    as sluice_batch_fill.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_keys(const sluice_batch *batch, sluice_mask_key *keys, sluice_error *error);

/* sluice_batch_try_fill, sluice_batch_try_keys: their calls with a patience in microseconds; see "calls that may take
 * long". Filled rows stay filled, the others have the status SLUICE_E_UNFINISHED: call again with SLUICE_BATCH_GO_ON.
 * returns    as the call without try_; SLUICE_E_UNFINISHED, if no matcher failed.      since 0.1 */
sluice_status sluice_batch_try_fill(const sluice_batch *batch, uint32_t patience, sluice_error *error);
sluice_status sluice_batch_try_keys(const sluice_batch *batch, sluice_mask_key *keys, uint32_t patience,
                                    sluice_error *error);

/* sluice_batch_accept: sluice_matcher_accept for many matchers in one call, each with its own of batch->ids.
 * batch      rows, masks, n_rows, row_words, words and constrained are not read, here and in the calls up to
 *            sluice_batch_rollback.
 * patience   in microseconds; UINT32_MAX: as long as it takes.
 * returns    SLUICE_OK if all ids were accepted; else the first status by index that is a failure, with error about its
 *            matcher: SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT; else
 *            SLUICE_E_UNFINISHED (some matchers have not moved yet), else SLUICE_E_REJECTED.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_accept(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_batch_validate: sluice_matcher_validate for many matchers in one call.
 * returns    as sluice_batch_accept.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_validate(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_batch_accept_bytes: sluice_matcher_accept_bytes for many matchers in one call.
 * texts      batch->n of them, and their lengths in bytes; with NULL a matcher is skipped as one that is 0.
 * batch      done[i] is 1 if the text was accepted, else 0. ids and counts are not read.
 * patience, returns   as sluice_batch_accept.
 * ownership  the texts are borrowed for the call.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_accept_bytes(const sluice_batch *batch, const uint8_t *const *texts, const size_t *lengths,
                                        uint32_t patience, sluice_error *error);

/* sluice_batch_set_max_tokens: sluice_matcher_set_max_tokens for many matchers in one call.
 * limits     batch->n of them; 0 removes the limit of a matcher.
 * returns    SLUICE_OK; else the first status by index that is not, with error about its matcher: SLUICE_E_HANDLE;
 *            SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE; SLUICE_E_LIMIT. Matchers that fail keep their
 *            limit and do not affect others.
 * threads    as sluice_batch_fill.
 * cost       as sluice_matcher_set_max_tokens for each.      since 0.1 */
sluice_status sluice_batch_set_max_tokens(const sluice_batch *batch, const uint32_t *limits, sluice_error *error);

/* sluice_batch_rollback: sluice_matcher_rollback for many matchers in one call; counts has the steps of each.
 * returns    SLUICE_OK; else the first status by index that is not, with error about its matcher: SLUICE_E_HANDLE;
 *            SLUICE_E_ARGUMENT; SLUICE_E_BUSY.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_rollback(const sluice_batch *batch, sluice_error *error);

/* sluice_batch_fill_chains: writes the masks of draft tokens. Matcher i has counts[i] drafts in ids and counts[i] + 1
 * rows: row k is what sluice_matcher_fill would write after k of the drafts. No matcher moves. Drafts may go beyond the
 * end.
 * batch      rows[i] is the first row of matcher i; the others follow it. NULL: they follow the rows of matcher i − 1.
 *            done[i] is the number of drafts that are allowed. Rows after the first forbidden draft allow every token,
 *            since an engine discards samples there.
 * patience   as in sluice_batch_accept.
 * returns    as sluice_batch_fill, also if rows overlap; SLUICE_E_UNFINISHED. Forbidden drafts are an answer:
 *            SLUICE_OK. SLUICE_E_LIMIT also if the masks and drafts of one matcher take more than one and a half times
 *            mask_budget. Of a matcher that fails the first done[i] rows are written, and no others.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_fill_chains(const sluice_batch *batch, uint32_t patience, sluice_error *error);

/* sluice_trees: draft tokens that branch: one tree for each matcher of a batch, all with the same number of nodes. Node
 * 0 is the token that was accepted last, the others are drafts. −1 in next_token and next_sibling means no node. Nodes
 * that nothing leads to are allowed.
 * since 0.1 */
typedef struct sluice_trees {
  uint32_t struct_size;
  uint32_t nodes;              /* of each tree, its root included */
  const int64_t *next_token;   /* the first child of each node */
  const int64_t *next_sibling; /* the next child of the same parent */
  const int64_t *tokens;       /* the draft at each node; the one of node 0 is not read */
  size_t stride;               /* elements from one tree to the next, in all three; 0: nodes */
} sluice_trees;

/* sluice_batch_fill_trees: writes the masks of draft tokens that branch. Row k of a matcher is what sluice_matcher_fill
 * would write after the drafts on the way to node k. No matcher moves.
 * batch      rows[i] is the first row of matcher i, NULL: i * nodes. done[i] is the number of nodes that allowed drafts
 *            lead to, with the root. Rows of other nodes allow every token. ids and counts are not read.
 * patience   as in sluice_batch_accept.
 * returns    as sluice_batch_fill_chains. If indices do not form a tree, its matcher is SLUICE_E_ARGUMENT and no row is
 *            written. Of a matcher that fails otherwise some rows may be written.
 * threads, cost   as sluice_batch_fill.      since 0.1 */
sluice_status sluice_batch_fill_trees(const sluice_batch *batch, const sluice_trees *trees, uint32_t patience,
                                      sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_BATCH_H */
