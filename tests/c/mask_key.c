/* Keys of masks: equal keys are equal rows, over sequences of several grammars and compilers; a batch gives the keys of
 * single calls; a wrong call has a status. */
#include "support.h"

enum { KEPT = 4000, SEQUENCES = 60, STEPS = 20 };

static struct {
  sluice_mask_key key;
  uint32_t row[WORDS];
} kept[KEPT];
static int n_kept, met;

/* remember keeps a row with its key, or compares it with the one that is kept. */
static void remember(sluice_mask_key key, const uint32_t *row) {
  CHECK(key.low != 0 || key.high != 0);
  for (int i = 0; i < n_kept; i++) {
    if (kept[i].key.low == key.low && kept[i].key.high == key.high) {
      CHECK(memcmp(kept[i].row, row, sizeof kept[i].row) == 0);
      met++;
      return;
    }
  }
  CHECK(n_kept < KEPT);
  kept[n_kept].key = key;
  memcpy(kept[n_kept].row, row, sizeof kept[n_kept].row);
  n_kept++;
}

static void follow(sluice_grammar g, uint64_t seed) {
  sluice_matcher m = new_matcher(g);
  sluice_mask_key key = {0, 0}, of_batch = {7, 7};
  sluice_batch batch = {.struct_size = sizeof batch, .n = 1, .matchers = &m};
  uint32_t row[WORDS], state = 0;
  for (int step = 0; step < STEPS; step++) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_mask_key(m, &key, &error));
    CHECK_STATUS(SLUICE_OK, sluice_batch_keys(&batch, &of_batch, &error));
    CHECK(key.low == of_batch.low && key.high == of_batch.high);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
    remember(key, row);
    int32_t id = choose(row, &seed);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, &id, 1, NULL, &error));
    CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
    if (state & SLUICE_STATE_TERMINATED) {
      CHECK_STATUS(SLUICE_OK, sluice_matcher_mask_key(m, &key, &error));
      CHECK(key.low == 0 && key.high == 0);
      break;
    }
  }
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
}

static void refusals(sluice_grammar g) {
  sluice_matcher matchers[3] = {new_matcher(g), 0, 0};
  matchers[2] = matchers[0];
  sluice_mask_key keys[3] = {{1, 1}, {1, 1}, {1, 1}};
  sluice_status statuses[3] = {-1, -1, -1};
  sluice_batch batch = {.struct_size = sizeof batch, .n = 3, .matchers = matchers, .statuses = statuses};
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_batch_keys(&batch, keys, &error));
  CHECK(statuses[0] == SLUICE_OK && statuses[1] == SLUICE_E_HANDLE && statuses[2] == SLUICE_E_BUSY);
  CHECK(keys[0].low != 0 && keys[1].low == 0 && keys[1].high == 0 && keys[2].low == 0);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_keys(&batch, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_keys(NULL, keys, &error));
  batch.n = 0;
  CHECK_STATUS(SLUICE_OK, sluice_batch_keys(&batch, NULL, &error));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_mask_key(77, keys, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_mask_key(matchers[0], NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(matchers[0]));
}

int main(void) {
  for (uint64_t i = 0; i < 2; i++) {
    sluice_compiler c = small_compiler();
    sluice_grammar text = compile(c, SLUICE_KIND_REGEX, "(ab?c+){0,40}[xy]{3,9}");
    sluice_grammar json = compile(c, SLUICE_KIND_ANY_JSON, "");
    for (uint64_t sequence = 1; sequence <= SEQUENCES; sequence++) {
      follow(sequence % 2 != 0 ? text : json, sequence * 7919 + i);
    }
    refusals(text);
    CHECK_STATUS(SLUICE_OK, sluice_grammar_free(text));
    CHECK_STATUS(SLUICE_OK, sluice_grammar_free(json));
    CHECK_STATUS(SLUICE_OK, sluice_compiler_free(c));
  }
  CHECK(met > n_kept);
  return 0;
}
