/* Failures and their errors: stale and foreign handles, double frees, wrong arguments, NULs in texts, structs of
 * other sizes. Nothing here may crash, and after each failure the objects are as usable as before. */
#include "support.h"

static sluice_compiler compiler;
static sluice_grammar grammar;
static sluice_matcher matcher;

/* message_has tells whether the last error's message has a part. */
static int message_has(const char *part) { return strstr(error.message, part) != NULL; }

static void test_handles(void) {
  sluice_matcher m = new_matcher(grammar), copy = m;
  uint32_t row[WORDS];
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_free(m));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  CHECK(error.code == SLUICE_E_HANDLE && message_has("was freed"));
  m = new_matcher(grammar); /* takes the place of the freed one */
  CHECK(m != copy);
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_reset(copy, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));

  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_fill(grammar, row, WORDS, NULL, &error));
  CHECK(message_has("is a grammar, not a matcher"));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_fill(0, row, WORDS, NULL, &error));
  CHECK(message_has("is 0"));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_grammar_free(matcher));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_vocabulary_free(UINT64_MAX));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_compiler_free(12345));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_accept_token(copy, 1));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_accept(copy, NULL, 0, NULL, NULL)); /* no error struct is fine */
}

/* Parents may go first. */
static void test_lifetimes(void) {
  sluice_compiler c = small_compiler();
  sluice_grammar g = compile(c, SLUICE_KIND_REGEX, "ab+");
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(c));
  sluice_matcher m = new_matcher(g);
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_new(g, NULL, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, (const uint8_t *)"ab", 2, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
}

static void test_arguments(void) {
  uint32_t row[WORDS + 2];
  size_t n = 77;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_new(grammar, NULL, NULL, &error));
  CHECK(message_has("matcher is NULL"));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_fill(matcher, NULL, WORDS, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_fill(matcher, row, WORDS - 1, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT,
               sluice_matcher_fill(matcher, (uint32_t *)(uintptr_t)((char *)row + 1), WORDS, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_fill(matcher, row, SIZE_MAX, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_accept(matcher, NULL, 3, &n, &error));
  CHECK(n == 77);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_rollback(matcher, 1, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_rollback(matcher, SIZE_MAX, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(matcher, 0, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(matcher, NULL, 0, &n, &error));
  CHECK(n == 0);

  /* A longer row is cleared beyond the vocabulary, and no further. */
  memset(row, 0xAB, sizeof row);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(matcher, row, WORDS + 1, NULL, &error));
  CHECK(row[WORDS] == 0 && row[WORDS + 1] == 0xABABABABu);
  for (uint32_t id = N_TOKENS; id < PADDED; id++) {
    CHECK(!allowed(row, id));
  }
}

static void test_rejection(void) {
  const int32_t ids[] = {'a', 'b', 'Z', 'b'}, wild[] = {-1, INT32_MIN, N_TOKENS, PADDED, INT32_MAX};
  size_t n = 0;
  error.code = SLUICE_OK;
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_validate(matcher, ids, 4, &n, &error));
  CHECK(n == 2 && error.code == SLUICE_OK); /* an answer writes no error */
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept(matcher, ids, 4, &n, &error));
  CHECK(n == 2);
  for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
    CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(matcher, wild[i]));
  }
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_bytes(matcher, (const uint8_t *)"bbZ", 3, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_length(matcher, &n, &error));
  CHECK(n == 2);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(matcher, 'b')); /* still usable */
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(matcher, 3, &error));
}

static void test_specs(void) {
  sluice_grammar g = 0;
  static const char nul_regex[] = "a\0b", broken[] = "a(b";
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(compiler, SLUICE_KIND_REGEX, nul_regex, 3, NULL, 0, &g, &error));
  sluice_matcher m = new_matcher(g); /* NUL is a character like any other, not the end of the text */
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_bytes(m, (const uint8_t *)"ab", 2, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, (const uint8_t *)nul_regex, 3, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));

  g = 42;
  CHECK_STATUS(SLUICE_E_SYNTAX, sluice_grammar_compile(compiler, SLUICE_KIND_REGEX, broken, 3, NULL, 0, &g, &error));
  CHECK(g == 42 && error.line == 1 && error.column > 0 && strcmp(error.source, "regex") == 0);
  CHECK(error.message_length == strlen(error.message));
  CHECK_STATUS(SLUICE_E_SYNTAX,
               sluice_grammar_compile(compiler, SLUICE_KIND_JSON_SCHEMA, "\"\xff", 2, NULL, 0, &g, &error));
  CHECK(strcmp(error.fragment, "\xef\xbf\xbd") == 0 && error.fragment_length == 3); /* texts are UTF-8, so U+FFFD */

  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(compiler, SLUICE_KIND_REGEX, "[[:]", 4, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));

  static const char schema[] = "{\"properties\":{\"age\":{\"type\":\"integer\",\"multipleOf\":-3}}}";
  CHECK_STATUS(SLUICE_E_INVALID, sluice_grammar_compile(compiler, SLUICE_KIND_JSON_SCHEMA, schema, sizeof schema - 1,
                                                        NULL, 0, &g, &error));
  CHECK(error.has_pointer == 1 && strcmp(error.pointer, "/properties/age/multipleOf") == 0);

  static const char ebnf[] = "root ::= \"a\"\nx ::= nowhere\n";
  CHECK_STATUS(SLUICE_E_INVALID,
               sluice_grammar_compile(compiler, SLUICE_KIND_EBNF, ebnf, sizeof ebnf - 1, NULL, 0, &g, &error));
  CHECK(error.line == 2 && error.has_pointer == 0);

  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_grammar_compile(compiler, 99, "a", 1, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_grammar_compile(compiler, SLUICE_KIND_REGEX, NULL, 5, NULL, 0, &g, &error));
}

static void test_options(void) {
  sluice_grammar g = 0;
  static const struct {
    const char *options, *part;
  } wrong[] = {
      {"{\"anyorder\": true}", "no such option"},
      {"{\"compact\": 1}", "true or false"},
      {"[]", "not a JSON object"},
      {"{\"compact\": true", "malformed"},
      {"{} {}", "after the end"},
      {"{\"compact\":true,\"compact\":true}", "twice"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_grammar_compile(compiler, SLUICE_KIND_ANY_JSON, NULL, 0, wrong[i].options,
                                                           strlen(wrong[i].options), &g, &error));
    if (!message_has(wrong[i].part)) {
      fprintf(stderr, "%s: message is: %s\n", wrong[i].options, error.message);
      exit(1);
    }
  }
  static const char compact[] = "{\"compact\": true}";
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(compiler, SLUICE_KIND_ANY_JSON, NULL, 0, compact, sizeof compact - 1,
                                                 &g, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  sluice_vocabulary v = small_vocabulary();
  sluice_compiler c = 0;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_compiler_new(v, "{\"x\":1}", 7, &c, &error));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(v));
}

static void test_structs(void) {
  struct {
    sluice_matcher_options known;
    uint64_t later;
  } newer;
  sluice_matcher m = 0;
  memset(&newer, 0, sizeof newer);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_new(grammar, &newer.known, &m, &error)); /* struct_size 0 */
  CHECK(message_has("struct_size"));
  newer.known.struct_size = sizeof newer;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(grammar, &newer.known, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
  newer.later = 1;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_new(grammar, &newer.known, &m, &error));
  CHECK(message_has("does not know"));
  newer.known.struct_size = sizeof newer.known;
  newer.known.flags = 1u << 31;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_new(grammar, &newer.known, &m, &error));

  newer.known.flags = 0;
  for (uint32_t size = 1; size < sizeof newer; size++) { /* half a pointer is not followed */
    newer.known.struct_size = size;
    sluice_status status = sluice_matcher_new(grammar, &newer.known, &m, &error);
    CHECK(status == (size >= 24 && size % 8 == 0 ? SLUICE_OK : SLUICE_E_ARGUMENT));
    CHECK(status != SLUICE_OK || sluice_matcher_free(m) == SLUICE_OK);
  }

  sluice_error unset = {.struct_size = 0}; /* not written, and the status is right all the same */
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_matcher_reset(0, &unset));
  CHECK(unset.code == SLUICE_OK && unset.message[0] == 0);
}

static void test_vocabularies(void) {
  sluice_vocabulary v = 0;
  const uint8_t bytes[] = "ab";
  const uint64_t down[] = {0, 2, 1};
  sluice_vocabulary_config config = {.struct_size = sizeof config, .n_tokens = 2, .bytes = bytes, .offsets = down};
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_new(&config, &v, &error));
  CHECK(message_has("descend"));
  config.n_tokens = 0;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_new(&config, &v, &error));
  static const char nowhere[] = "/nowhere/tokenizer.json";
  CHECK_STATUS(SLUICE_E_IO, sluice_vocabulary_from_file(nowhere, sizeof nowhere - 1, NULL, &v, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_from_data(9, bytes, 2, NULL, &v, &error));

  v = small_vocabulary();
  sluice_vocabulary_facts facts = {.struct_size = sizeof facts};
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_info(v, &facts, &error));
  CHECK(facts.size == N_TOKENS && facts.padded_size == PADDED && facts.mask_words == WORDS && facts.n_end_tokens == 1);
  CHECK(facts.max_token_length == 6);
  uint8_t text[8];
  size_t length = 0, count = 0;
  uint32_t flags = 0, id = 0;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_token(v, 256, text, sizeof text, &length, &flags, &error));
  CHECK(length == 6 && memcmp(text, "\"name\"", 6) == 0 && flags == 0);
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_token(v, END_TOKEN, text, 2, &length, &flags, &error));
  CHECK(length == 4 && memcmp(text, "</", 2) == 0 && flags == (SLUICE_TOKEN_SPECIAL | SLUICE_TOKEN_END));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_token(v, N_TOKENS, NULL, 0, NULL, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_token_id(v, "</s>", 4, &id, &error));
  CHECK(id == END_TOKEN);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_token_id(v, "<s>", 3, &id, &error));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_end_tokens(v, &id, 1, &count, &error));
  CHECK(count == 1 && id == END_TOKEN);
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(v));
}

static void test_batch(void) {
  sluice_matcher m[4] = {new_matcher(grammar), new_matcher(grammar), 0, new_matcher(grammar)};
  int32_t rows[4] = {3, 0, 1, 3};
  uint32_t masks[4 * (WORDS + 1)], one[WORDS];
  sluice_status statuses[4] = {-1, -1, -1, -1};
  uint8_t constrained[4] = {9, 9, 9, 9};
  sluice_batch batch = {.struct_size = sizeof batch,
                        .n = 4,
                        .matchers = m,
                        .rows = rows,
                        .masks = masks,
                        .n_rows = 4,
                        .row_words = WORDS + 1,
                        .words = WORDS,
                        .statuses = statuses,
                        .constrained = constrained};
  memset(masks, 0xCD, sizeof masks);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m[0], 'a'));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_batch_fill(&batch, &error)); /* the first failure by index */
  CHECK(statuses[0] == SLUICE_OK && statuses[1] == SLUICE_OK && statuses[2] == SLUICE_E_HANDLE &&
        statuses[3] == SLUICE_E_ARGUMENT);
  CHECK(constrained[0] == 1 && constrained[2] == 9);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m[0], one, WORDS, NULL, &error));
  CHECK(memcmp(one, masks + 3 * (WORDS + 1), sizeof one) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m[1], one, WORDS, NULL, &error));
  CHECK(memcmp(one, masks, sizeof one) == 0);
  for (size_t i = 0; i < 2 * (WORDS + 1); i++) { /* rows 1 and 2 belong to nobody */
    CHECK(masks[WORDS + 1 + i] == 0xCDCDCDCDu);
  }
  CHECK(masks[WORDS] == 0xCDCDCDCDu); /* between the rows */

  m[2] = m[0]; /* twice in one batch */
  rows[3] = 2;
  CHECK_STATUS(SLUICE_E_BUSY, sluice_batch_fill(&batch, &error));
  CHECK(statuses[0] == SLUICE_OK && statuses[2] == SLUICE_E_BUSY && statuses[3] == SLUICE_OK);
  rows[1] = 4; /* no such row */
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_fill(&batch, &error));
  CHECK(statuses[1] == SLUICE_E_ARGUMENT && statuses[0] == SLUICE_OK);
  batch.row_words = WORDS - 1;
  statuses[0] = -1;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_fill(&batch, &error));
  CHECK(statuses[0] == -1);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_fill(NULL, &error));
  batch.row_words = WORDS + 1;
  batch.n = (1u << 20) + 1; /* of which no array is looked at */
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_batch_fill(&batch, &error));
  CHECK(statuses[0] == -1 && strstr(error.message, "batch.n is 1048577: a batch has at most 1048576 matchers") != NULL);
  batch.n = 0;
  CHECK_STATUS(SLUICE_OK, sluice_batch_fill(&batch, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m[0]));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m[1]));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m[3]));
}

/* Answers of the matcher without failures: end, rollback over the end, fork, forced text, stop tokens. */
static void test_matcher(void) {
  sluice_matcher m = new_matcher(grammar), f = 0; /* ab+ */
  const int32_t ids[] = {'a', 'b', END_TOKEN};
  uint32_t row[WORDS], state = 9;
  uint8_t forced[4];
  size_t n = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_forced_bytes(m, forced, sizeof forced, &n, &error));
  CHECK(n == 2 && memcmp(forced, "ab", 2) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_forced_bytes(m, NULL, 0, &n, &error));
  CHECK(n == 2);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  CHECK(state == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, ids, 2, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fork(m, &f, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, ids + 2, 1, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  CHECK(state & SLUICE_STATE_TERMINATED);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m, 'x')); /* ignored after the end */
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  CHECK(allowed(row, END_TOKEN) && !allowed(row, 'b'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(m, 2, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  CHECK(state == SLUICE_STATE_COMPLETED);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(f, &state, &error));
  CHECK(state == SLUICE_STATE_COMPLETED);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_reset(f, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_length(f, &n, &error));
  CHECK(n == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(f));

  const uint32_t stop[] = {'!'};
  sluice_matcher_options options = {
      .struct_size = sizeof options, .flags = SLUICE_REJECT_AFTER_END, .stop_tokens = stop, .n_stop_tokens = 1};
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(grammar, &options, &f, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(f, ids, 2, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(f, row, WORDS, NULL, &error));
  CHECK(allowed(row, '!') && !allowed(row, END_TOKEN));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(f, '!'));
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(f, 'b'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(f));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
}

int main(void) {
  compiler = small_compiler();
  grammar = compile(compiler, SLUICE_KIND_REGEX, "ab+");
  matcher = new_matcher(grammar);
  CHECK(strcmp(sluice_status_name(SLUICE_E_FORKED), "forked") == 0 && strcmp(sluice_status_name(-1), "unknown") == 0);
  test_handles();
  test_lifetimes();
  test_arguments();
  test_rejection();
  test_specs();
  test_options();
  test_structs();
  test_vocabularies();
  test_batch();
  test_matcher();
  return 0;
}
