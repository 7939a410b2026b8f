/* batch.c: calls for many matchers give each what single calls give: fill, accept, validate, roll back, and draft
 * tokens in chains and trees, beside matchers that fail, in random orders.
 *
 *   batch [SEED] */
#include "support.h"

enum { N = 23, EACH = 9, ROWS = N * EACH, NODES = 8 };

static uint64_t rng;
static sluice_matcher matchers[N], twins[N]; /* a twin makes the single calls; 0 is nobody */
static sluice_status statuses[N];
static uint8_t constrained[N], states[N];
static sluice_stop stops[N];
static uint32_t done[N], counts[N];
static int32_t rows[N], ids[N * EACH];
static uint32_t masks[ROWS * WORDS], row[WORDS], everything[WORDS];
static sluice_batch batch;

static size_t below(size_t n) { return (size_t)(next_random(&rng) % n); }

static sluice_matcher fork_of(sluice_matcher m) {
  sluice_matcher f = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fork(m, &f, &error));
  return f;
}

/* draft chooses a token, mostly one that is allowed. */
static int32_t draft(sluice_matcher m) {
  if (below(8) == 0 || sluice_matcher_fill(m, row, WORDS, NULL, NULL) != SLUICE_OK) {
    return (int32_t)below(PADDED + 40) - 20; /* also no token at all */
  }
  return choose(row, &rng);
}

/* mark puts canaries everywhere a call may write. */
static void mark(void) {
  memset(masks, 0xCD, sizeof masks);
  memset(statuses, 0x55, sizeof statuses);
  memset(constrained, 0x55, sizeof constrained);
  memset(states, 0x55, sizeof states);
  memset(done, 0x55, sizeof done);
  memset(stops, 0x55, sizeof stops);
}

static const uint32_t *mask_of(size_t i, size_t k) { return masks + ((size_t)rows[i] + k) * WORDS; }

static int untouched(const uint32_t *mask) {
  for (int w = 0; w < WORDS; w++) {
    if (mask[w] != 0xCDCDCDCDu) {
      return 0;
    }
  }
  return 1;
}

static void shuffle(void) {
  for (size_t i = N - 1; i > 0; i--) {
    size_t j = below(i + 1);
    sluice_matcher m = matchers[i], t = twins[i];
    matchers[i] = matchers[j], twins[i] = twins[j];
    matchers[j] = m, twins[j] = t;
    int32_t r = rows[i];
    rows[i] = rows[j], rows[j] = r;
  }
}

/* finish repeats a call without patience until it is done. */
#define FINISH(result, call)                            \
  do {                                                  \
    batch.flags = SLUICE_BATCH_SKIP_ZERO;               \
    uint32_t patience = below(2) == 0 ? 0 : UINT32_MAX; \
    (result) = call;                                    \
    for (size_t left = 0; left < N; left++) {           \
      if (statuses[left] == SLUICE_E_UNFINISHED) {      \
        CHECK(patience == 0);                           \
        patience = UINT32_MAX;                          \
        batch.flags |= SLUICE_BATCH_GO_ON;              \
        sluice_status again = call;                     \
        (result) = again;                               \
        break;                                          \
      }                                                 \
    }                                                   \
  } while (0)

static void check_state(size_t i) {
  uint32_t state = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(twins[i], &state, &error));
  CHECK(states[i] == state);
  sluice_stop stop;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_stopped(twins[i], &stop, &error));
  const int written = statuses[i] == SLUICE_OK || statuses[i] == SLUICE_E_REJECTED || statuses[i] == SLUICE_E_LIMIT;
  CHECK(written ? memcmp(&stop, &stops[i], sizeof stop) == 0 : stops[i].reserved == 0x55555555u);
}

static void fill_all(void) {
  sluice_status result;
  mark();
  FINISH(result, sluice_batch_try_fill(&batch, patience, &error));
  (void)result;
  for (size_t i = 0; i < N; i++) {
    uint32_t some = 9;
    if (twins[i] == 0) {
      CHECK(statuses[i] == SLUICE_OK && constrained[i] == 0x55 && untouched(mask_of(i, 0)));
      continue;
    }
    sluice_status want = sluice_matcher_fill(twins[i], row, WORDS, &some, &error);
    CHECK(statuses[i] == want);
    CHECK(want == SLUICE_OK ? memcmp(row, mask_of(i, 0), sizeof row) == 0 && constrained[i] == some
                            : untouched(mask_of(i, 0)));
    CHECK(untouched(mask_of(i, 1)));
  }
}

/* refill_all fills twice with the keys of rows: the second time, rows with a key are not written. */
static void refill_all(void) {
  static sluice_mask_key keys[ROWS];
  static uint8_t unchanged[N];
  sluice_status result;
  memset(keys, 0, sizeof keys);
  batch.row_keys = keys;
  batch.unchanged = unchanged;
  for (int time = 0; time < 2; time++) {
    mark();
    memset(unchanged, 0x55, sizeof unchanged);
    FINISH(result, sluice_batch_try_fill(&batch, patience, &error));
    (void)result;
    for (size_t i = 0; i < N; i++) {
      const sluice_mask_key *key = &keys[rows[i]];
      if (twins[i] == 0 || statuses[i] != SLUICE_OK) {
        CHECK(unchanged[i] == 0x55 && untouched(mask_of(i, 0)));
      } else if (time > 0 && (key->low != 0 || key->high != 0)) {
        CHECK(unchanged[i] == 1 && untouched(mask_of(i, 0)));
      } else {
        CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(twins[i], row, WORDS, NULL, &error));
        CHECK(unchanged[i] == 0 && memcmp(row, mask_of(i, 0), sizeof row) == 0);
      }
    }
  }
  batch.row_keys = NULL;
  batch.unchanged = NULL;
}

/* accept_all accepts after it has validated, and takes some of it back. */
static void accept_all(void) {
  static int32_t *own[N];
  size_t n = 0;
  for (size_t i = 0; i < N; i++) {
    own[i] = ids + n;
    counts[i] = (uint32_t)below(4);
    sluice_matcher f = twins[i] == 0 ? 0 : fork_of(twins[i]);
    for (uint32_t k = 0; k < counts[i]; k++) {
      ids[n++] = f == 0 ? -7 : draft(f);
      (void)sluice_matcher_accept_token(f, ids[n - 1]);
    }
    (void)sluice_matcher_free(f);
  }
  sluice_status result, first = SLUICE_OK;
  mark();
  FINISH(result, sluice_batch_validate(&batch, patience, &error));
  for (size_t i = 0; i < N; i++) {
    size_t valid = 0;
    if (twins[i] != 0) {
      CHECK(sluice_matcher_validate(twins[i], own[i], counts[i], &valid, &error) == statuses[i]);
      CHECK(valid == done[i]);
      check_state(i);
      first = statuses[i] != SLUICE_OK ? SLUICE_E_REJECTED : first;
    }
  }
  CHECK((batch.flags & SLUICE_BATCH_GO_ON) != 0 || result == first);
  mark();
  FINISH(result, sluice_batch_accept(&batch, patience, &error));
  for (size_t i = 0; i < N; i++) {
    size_t accepted = 0, length = 0;
    if (twins[i] == 0) {
      CHECK(statuses[i] == SLUICE_OK && done[i] == 0x55555555u);
      continue;
    }
    CHECK(sluice_matcher_accept(twins[i], own[i], counts[i], &accepted, &error) == statuses[i]);
    CHECK(accepted == done[i]);
    check_state(i);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_length(twins[i], &length, &error));
    counts[i] = below(3) == 0 ? (uint32_t)below(length + 2) : 0;
  }
  mark();
  batch.flags = SLUICE_BATCH_SKIP_ZERO;
  (void)sluice_batch_rollback(&batch, &error);
  for (size_t i = 0; i < N; i++) {
    if (twins[i] != 0) {
      CHECK(sluice_matcher_rollback(twins[i], counts[i], &error) == statuses[i]);
      check_state(i);
    }
  }
}

/* texts_all accepts texts and sets limits, and takes the texts back. */
static void texts_all(void) {
  static const char *const some[] = {"a", "the ", "[", "\"", "", "7"};
  const uint8_t *texts[N];
  size_t lengths[N];
  uint32_t limits[N];
  sluice_status result;
  for (size_t i = 0; i < N; i++) {
    const char *text = some[below(6)];
    texts[i] = below(5) == 0 ? NULL : (const uint8_t *)text;
    lengths[i] = strlen(text);
    limits[i] = below(2) == 0 ? 0 : (uint32_t)below(60);
  }
  mark();
  FINISH(result, sluice_batch_accept_bytes(&batch, texts, lengths, patience, &error));
  (void)result;
  for (size_t i = 0; i < N; i++) {
    if (twins[i] == 0 || texts[i] == NULL) {
      CHECK(statuses[i] == SLUICE_OK && done[i] == 0x55555555u && states[i] == 0x55);
      counts[i] = 0;
      continue;
    }
    CHECK(statuses[i] == sluice_matcher_accept_bytes(twins[i], texts[i], lengths[i], &error));
    CHECK(done[i] == (statuses[i] == SLUICE_OK));
    check_state(i);
    counts[i] = done[i];
  }
  batch.flags = SLUICE_BATCH_SKIP_ZERO;
  (void)sluice_batch_set_max_tokens(&batch, limits, &error);
  for (size_t i = 0; i < N; i++) {
    if (twins[i] != 0) {
      CHECK(statuses[i] == sluice_matcher_set_max_tokens(twins[i], limits[i], &error));
      CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(twins[i], counts[i], &error));
      CHECK_STATUS(SLUICE_OK, sluice_matcher_set_max_tokens(twins[i], 0, &error));
    }
  }
  CHECK_STATUS(SLUICE_OK, sluice_batch_rollback(&batch, &error));
  memset(limits, 0, sizeof limits);
  CHECK_STATUS(SLUICE_OK, sluice_batch_set_max_tokens(&batch, limits, &error));
}

/* stop_all sets stop strings. */
static void stop_all(void) {
  static const char *const some[] = {"a", "the t", "[[", "00", "\"", "n"};
  const uint8_t *strings[2 * N];
  size_t lengths[2 * N], n = 0;
  for (size_t i = 0; i < N; i++) {
    const size_t first = n;
    counts[i] = (uint32_t)below(3);
    for (uint32_t k = 0; k < counts[i]; k++) {
      const char *text = some[below(6)];
      strings[n] = (const uint8_t *)text;
      lengths[n++] = strlen(text);
    }
    if (twins[i] != 0) {
      CHECK_STATUS(SLUICE_OK,
                   sluice_matcher_set_stop_strings(twins[i], strings + first, lengths + first, counts[i], &error));
    }
  }
  batch.flags = SLUICE_BATCH_SKIP_ZERO;
  CHECK_STATUS(SLUICE_OK, sluice_batch_set_stop_strings(&batch, strings, lengths, &error));
}

/* chains compares with an engine that accepts, fills, and rolls back. */
static void chains(void) {
  static int32_t *own[N];
  size_t n = 0;
  for (size_t i = 0; i < N; i++) {
    own[i] = ids + n;
    counts[i] = (uint32_t)below(EACH - 1);
    sluice_matcher f = twins[i] == 0 ? 0 : fork_of(twins[i]);
    for (uint32_t k = 0; k < counts[i]; k++) {
      ids[n++] = f == 0 ? 1 : draft(f);
      (void)sluice_matcher_accept_token(f, ids[n - 1]);
    }
    (void)sluice_matcher_free(f);
  }
  sluice_status result;
  mark();
  FINISH(result, sluice_batch_fill_chains(&batch, patience, &error));
  (void)result;
  for (size_t i = 0; i < N; i++) {
    if (twins[i] == 0) {
      CHECK(untouched(mask_of(i, 0)));
      continue;
    }
    sluice_matcher f = fork_of(twins[i]);
    sluice_status want = SLUICE_OK;
    uint32_t k = 0, refused = 0;
    for (;; k++) {
      if ((want = sluice_matcher_fill(f, row, WORDS, NULL, &error)) != SLUICE_OK) {
        break;
      }
      CHECK(memcmp(row, mask_of(i, k), sizeof row) == 0);
      if (k == counts[i] || (refused = sluice_matcher_accept_token(f, own[i][k]) != SLUICE_OK)) {
        break;
      }
    }
    CHECK(statuses[i] == want && (want != SLUICE_OK || done[i] == k));
    for (uint32_t r = k + 1; r <= counts[i]; r++) {
      CHECK(want != SLUICE_OK ? untouched(mask_of(i, r)) : memcmp(mask_of(i, r), everything, sizeof everything) == 0);
    }
    CHECK(counts[i] + 1 == EACH || untouched(mask_of(i, counts[i] + 1)));
    check_state(i);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_free(f));
  }
}

/* visit fills as SGLang's traverse_tree does. */
static uint32_t visit(size_t i, sluice_matcher m, const int64_t *next, const int64_t *sibling, const int64_t *tokens,
                      int64_t node) {
  uint32_t reached = 1;
  if (sluice_matcher_fill(m, row, WORDS, NULL, &error) != SLUICE_OK) {
    return 1000; /* this tree fails */
  }
  CHECK(statuses[i] != SLUICE_OK || memcmp(row, mask_of(i, (size_t)node), sizeof row) == 0);
  for (int64_t c = next[node]; c >= 0; c = sibling[c]) {
    if (sluice_matcher_accept_token(m, (int32_t)tokens[c]) == SLUICE_OK) {
      reached += visit(i, m, next, sibling, tokens, c);
      CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(m, 1, &error));
    }
  }
  return reached;
}

static void trees(void) {
  static int64_t next[N * NODES], sibling[N * NODES], tokens[N * NODES];
  for (size_t i = 0; i < N; i++) {
    sluice_matcher at[NODES] = {twins[i]};
    int64_t last[NODES], *t_next = next + i * NODES, *t_sibling = sibling + i * NODES, *t_tokens = tokens + i * NODES;
    for (size_t k = 0; k < NODES; k++) {
      t_next[k] = t_sibling[k] = last[k] = -1;
      t_tokens[k] = -5;
      if (k == 0 || twins[i] == 0) {
        continue;
      }
      size_t parent = below(k);
      *(last[parent] < 0 ? &t_next[parent] : &t_sibling[last[parent]]) = (int64_t)k;
      last[parent] = (int64_t)k;
      t_tokens[k] = draft(at[parent]);
      at[k] = fork_of(at[parent]);
      (void)sluice_matcher_accept_token(at[k], (int32_t)t_tokens[k]);
    }
    for (size_t k = 1; k < NODES; k++) {
      (void)sluice_matcher_free(at[k]);
    }
  }
  const sluice_trees all = {
      .struct_size = sizeof all, .nodes = NODES, .next_token = next, .next_sibling = sibling, .tokens = tokens};
  sluice_status result;
  mark();
  FINISH(result, sluice_batch_fill_trees(&batch, &all, patience, &error));
  (void)result;
  for (size_t i = 0; i < N; i++) {
    if (twins[i] != 0) {
      uint32_t reached = visit(i, twins[i], next + i * NODES, sibling + i * NODES, tokens + i * NODES, 0);
      CHECK(statuses[i] == SLUICE_OK ? done[i] == reached : statuses[i] == SLUICE_E_UNSATISFIABLE && reached >= 1000);
      check_state(i);
    }
  }
}

/* ends: tokens after the end count for rollback, also in a batch. */
static void ends(sluice_grammar grammar) {
  const int32_t tokens[] = {'a', END_TOKEN, 'x', -1, END_TOKEN};
  sluice_matcher m = new_matcher(grammar), before = fork_of(m);
  sluice_batch one = {.struct_size = sizeof one,
                      .n = 1,
                      .matchers = &m,
                      .ids = tokens,
                      .counts = counts,
                      .done = done,
                      .states = states,
                      .statuses = statuses,
                      .masks = masks,
                      .n_rows = ROWS,
                      .row_words = WORDS,
                      .words = WORDS};
  counts[0] = 5;
  CHECK(sluice_batch_accept(&one, UINT32_MAX, &error) == SLUICE_E_REJECTED);
  CHECK(done[0] == 3 && states[0] == (SLUICE_STATE_COMPLETED | SLUICE_STATE_TERMINATED)); /* -1 is never a token */
  counts[0] = 3;
  CHECK_STATUS(SLUICE_OK, sluice_batch_rollback(&one, &error));
  CHECK(states[0] == 0);
  uint32_t other[WORDS];
  CHECK_STATUS(SLUICE_OK, sluice_batch_fill(&one, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(before, other, WORDS, NULL, &error));
  CHECK(memcmp(masks, other, sizeof other) == 0);
}

int main(int argc, char **argv) {
  rng = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 2654435769u + 1;
  for (uint32_t id = 0; id < PADDED; id++) {
    everything[id / 32] |= 1u << (id % 32);
  }
  sluice_compiler c = small_compiler();
  const sluice_grammar grammars[] = {
      compile(c, SLUICE_KIND_ANY_JSON, ""), compile(c, SLUICE_KIND_REGEX, "(a|the )*0{3,70}.*"),
      compile(c, SLUICE_KIND_EBNF, "root ::= root \",\" item | item\nitem ::= \"[\" root? \"]\" | [^,\\]\\[]\n"),
      compile(c, SLUICE_KIND_CHOICE, "[\"a\",\"aa\",\"{\\\"name\\\": 12}\"]")};
  batch = (sluice_batch){.struct_size = sizeof batch,
                         .n = N,
                         .matchers = matchers,
                         .rows = rows,
                         .masks = masks,
                         .n_rows = ROWS,
                         .row_words = WORDS,
                         .words = WORDS,
                         .statuses = statuses,
                         .constrained = constrained,
                         .ids = ids,
                         .counts = counts,
                         .done = done,
                         .states = states,
                         .stops = stops};
  static const uint32_t none[1];
  for (int round = 0; round < 12; round++) {
    for (size_t i = 0; i < N; i++) {
      sluice_matcher_options options = {.struct_size = sizeof options, .flags = (uint32_t)below(4)};
      if (below(6) == 0) { /* no token ends it: a dead end */
        options.stop_tokens = none;
      }
      (void)sluice_matcher_free(matchers[i]);
      (void)sluice_matcher_free(twins[i]);
      matchers[i] = twins[i] = 0;
      rows[i] = (int32_t)(i * EACH);
      if (below(5) > 0) {
        CHECK_STATUS(SLUICE_OK, sluice_matcher_new(grammars[below(4)], &options, &matchers[i], &error));
        twins[i] = fork_of(matchers[i]);
      }
    }
    for (int step = 0; step < 12; step++) {
      if (below(4) == 0) {
        stop_all();
      }
      shuffle();
      batch.threads = (uint32_t)below(4);
      fill_all();
      refill_all();
      accept_all();
      texts_all();
      chains();
      trees();
    }
  }
  ends(grammars[3]);
  return 0;
}
