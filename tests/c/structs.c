/* structs.c: an old program and a newer library, and the other way round. The old program has the structs as they were
 * first published (first_structs.h); grown.sh runs this file also with a library whose structs have all grown. */
#include "first_structs.h"
#include "support.h"

enum { ROOM = 4096, CANARY = 0xAB };

/* memory of a caller whose struct ends somewhere within it. */
static union {
  uint32_t struct_size;
  unsigned char bytes[ROOM];
  uint64_t aligned;
} memory;

/* old fills the memory with canaries and puts a struct of the first version there. */
static void *old(const void *first, size_t size) {
  memset(memory.bytes, CANARY, sizeof memory.bytes);
  memcpy(memory.bytes, first, size);
  return memory.bytes;
}

static int untouched(size_t from) {
  for (size_t i = from; i < sizeof memory.bytes; i++) {
    if (memory.bytes[i] != CANARY) {
      return 0;
    }
  }
  return 1;
}

/* CHECK_INPUT calls with a struct of parameters: the first version's, with garbage behind it, which is not read; a
 * larger one, of which the library knows nothing, zero and not; and three that are none. */
#define CHECK_INPUT(type, first, call)                     \
  do {                                                     \
    first.struct_size = sizeof first;                      \
    const type *given = old(&first, sizeof first);         \
    CHECK_STATUS(SLUICE_OK, call);                         \
    memset(memory.bytes + sizeof first, 0, 512);           \
    memory.struct_size = (uint32_t)sizeof first + 512;     \
    CHECK_STATUS(SLUICE_OK, call);                         \
    memory.bytes[sizeof first + 500] = 1;                  \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                 \
    CHECK(strstr(error.message, "does not know") != NULL); \
    memory.struct_size = (uint32_t)sizeof first - 1;       \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                 \
    CHECK(strstr(error.message, "struct_size") != NULL);   \
    memory.struct_size = 1u << 30;                         \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                 \
    memory.struct_size = (uint32_t)sizeof first + 4;       \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                 \
  } while (0)

/* CHECK_OUTPUT calls with a struct of results: nothing is written behind the first version's, nor behind the members
 * of a larger one that the library knows, and struct_size stays the caller's. */
#define CHECK_OUTPUT(type, firsttype, call)                                          \
  do {                                                                               \
    firsttype first;                                                                 \
    memset(&first, 0, sizeof first);                                                 \
    first.struct_size = sizeof first;                                                \
    type *given = old(&first, sizeof first);                                         \
    CHECK_STATUS(SLUICE_OK, call);                                                   \
    CHECK(untouched(sizeof first) && memory.struct_size == sizeof first);            \
    memset(memory.bytes, CANARY, sizeof memory.bytes);                               \
    memory.struct_size = sizeof first + 512;                                         \
    CHECK_STATUS(SLUICE_OK, call);                                                   \
    CHECK(untouched(sizeof first + 64) && memory.struct_size == sizeof first + 512); \
    memory.struct_size = sizeof first - 1;                                           \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                                           \
    memory.struct_size = sizeof first + 4;                                           \
    CHECK_STATUS(SLUICE_E_ARGUMENT, call);                                           \
  } while (0)

static void test_inputs(sluice_compiler compiler, sluice_grammar grammar) {
  (void)compiler;
  static const uint8_t bytes[] = "ab";
  static const uint64_t offsets[] = {0, 1, 2};
  static const uint32_t end[] = {1};
  sluice_vocabulary v = 0;
  first_vocabulary_config config = {
      .n_tokens = 2, .bytes = bytes, .offsets = offsets, .end_tokens = end, .n_end_tokens = 1};
  CHECK_INPUT(sluice_vocabulary_config, config, sluice_vocabulary_new(given, &v, &error));
  static const char ranks[] = "YQ== 0\nYg== 1\n";
  first_vocabulary_options options = {.padded_size = 64, .end_tokens = end, .n_end_tokens = 1};
  CHECK_INPUT(
      sluice_vocabulary_options, options,
      sluice_vocabulary_from_data(SLUICE_FORMAT_TIKTOKEN, (const uint8_t *)ranks, sizeof ranks - 1, given, &v, &error));
  sluice_vocabulary_facts facts = {.struct_size = sizeof facts};
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_info(v, &facts, &error));
  CHECK(facts.padded_size == 64);

  sluice_matcher m = 0;
  static const uint32_t stop[] = {'!'};
  first_matcher_options mine = {.flags = SLUICE_REJECT_AFTER_END, .stop_tokens = stop, .n_stop_tokens = 1};
  CHECK_INPUT(sluice_matcher_options, mine, sluice_matcher_new(grammar, given, &m, &error));
  static const int32_t ids[] = {'a', 'b', '!'};
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, ids, 3, NULL, &error));
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept(m, ids, 1, NULL, &error));

  uint32_t row[WORDS];
  sluice_mask_key key;
  sluice_status status = -1;
  uint8_t constrained = 9;
  first_batch batch = {.n = 1,
                       .matchers = &m,
                       .masks = row,
                       .n_rows = 1,
                       .row_words = WORDS,
                       .words = WORDS,
                       .statuses = &status,
                       .constrained = &constrained};
  CHECK_INPUT(sluice_batch, batch, sluice_batch_fill(given, &error));
  CHECK(allowed(row, '!') && status == SLUICE_OK && constrained == 1);
  CHECK_INPUT(sluice_batch, batch, sluice_batch_keys(given, &key, &error));
  CHECK_INPUT(sluice_batch, batch, sluice_batch_try_fill(given, 0, &error));
  CHECK_INPUT(sluice_batch, batch, sluice_batch_try_keys(given, &key, 0, &error));
  static const int64_t no_node[] = {-1};
  first_trees trees = {.nodes = 1, .next_token = no_node, .next_sibling = no_node, .tokens = no_node};
  const sluice_batch *whole = (const sluice_batch *)(const void *)&batch;
  CHECK_INPUT(sluice_trees, trees, sluice_batch_fill_trees(whole, given, 0, &error));

  static float logits[PADDED];
  first_apply_args args = {.dtype = SLUICE_DTYPE_F32,
                           .logits = logits,
                           .n_logit_rows = 1,
                           .logit_stride = PADDED,
                           .vocab_size = PADDED,
                           .masks = row,
                           .n_mask_rows = 1,
                           .mask_stride = WORDS,
                           .mask_words = WORDS,
                           .n = 1};
  CHECK_INPUT(sluice_apply_args, args, sluice_apply(given, &error));
  CHECK(logits['!'] >= 0 && logits['a'] < -1e30f);
  static const int32_t candidate[] = {'a'};
  static float logit[1];
  size_t kept = 9;
  first_sparse_args sparse = {.dtype = SLUICE_DTYPE_F32,
                              .ids = candidate,
                              .id_step = 4,
                              .logits = logit,
                              .logit_step = 4,
                              .n = 1,
                              .mask = row,
                              .mask_words = WORDS};
  CHECK_INPUT(sluice_sparse_args, sparse, sluice_apply_sparse(given, &kept, &error));
  CHECK(kept == 0);
}

static void test_outputs(sluice_vocabulary vocabulary, sluice_compiler compiler) {
  sluice_grammar g = 0;
  static const char schema[] = "{\"format\": \"no-such-format\"}";
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(compiler, SLUICE_KIND_JSON_SCHEMA, schema, sizeof schema - 1, NULL, 0,
                                                 &g, &error));
  CHECK_OUTPUT(sluice_vocabulary_facts, first_vocabulary_facts, sluice_vocabulary_info(vocabulary, given, &error));
  CHECK(((const first_vocabulary_facts *)(const void *)memory.bytes)->size == N_TOKENS);
  CHECK_OUTPUT(sluice_grammar_facts, first_grammar_facts, sluice_grammar_info(g, given, &error));
  CHECK(((const first_grammar_facts *)(const void *)memory.bytes)->n_notes >= 1);
  CHECK_OUTPUT(sluice_note, first_note, sluice_grammar_note(g, 0, given, &error));
  CHECK(((const first_note *)(const void *)memory.bytes)->text_length > 0);
  CHECK_OUTPUT(sluice_compiler_stats, first_compiler_stats, sluice_compiler_get_stats(compiler, given, &error));
  CHECK(((const first_compiler_stats *)(const void *)memory.bytes)->histograms[0][23] >= 1); /* compilations.count */
  CHECK_OUTPUT(sluice_devices_facts, first_devices_facts, sluice_devices(given, &error));
}

/* An error's struct is the one that every call has. */
static void test_error(void) {
  first_error first = {.struct_size = sizeof first};
  sluice_error *given = old(&first, sizeof first);
  const first_error *seen = (const first_error *)(const void *)memory.bytes;
  CHECK(sluice_matcher_reset(0, given) == SLUICE_E_HANDLE);
  CHECK(seen->code == SLUICE_E_HANDLE && strstr(seen->message, "is 0") != NULL);
  CHECK(untouched(sizeof first) && seen->struct_size == sizeof first);
  (void)old(&first, sizeof first);
  CHECK(sluice_apply(NULL, given) == SLUICE_E_ARGUMENT); /* the part that is C writes them itself */
  CHECK(seen->code == SLUICE_E_ARGUMENT && strstr(seen->message, "NULL") != NULL);
  CHECK(untouched(sizeof first) && seen->struct_size == sizeof first);
  memset(memory.bytes, CANARY, sizeof memory.bytes);
  memory.struct_size = sizeof first - 1; /* no version: left alone */
  CHECK(sluice_matcher_reset(0, given) == SLUICE_E_HANDLE && sluice_apply(NULL, given) == SLUICE_E_ARGUMENT);
  CHECK(untouched(sizeof memory.struct_size));
}

int main(int argc, char **argv) {
  if (argc > 1) { /* grown.sh wants to be sure of which library it tests */
    CHECK(strcmp(sluice_version(), argv[1]) == 0);
  }
  sluice_vocabulary vocabulary = small_vocabulary();
  sluice_compiler compiler = small_compiler();
  sluice_grammar grammar = compile(compiler, SLUICE_KIND_REGEX, "ab+");
  test_inputs(compiler, grammar);
  test_outputs(vocabulary, compiler);
  test_error();
  return 0;
}
