/* statuses_steps.h: a part of statuses.c: batches, captures, temperatures. It uses the vocabulary, the compiler and the
 * names of that program, which includes it once. */
#ifndef SLUICE_TESTS_STATUSES_STEPS_H
#define SLUICE_TESTS_STATUSES_STEPS_H

/* Captures of an output: whole, without room for them, and too long. */
static void test_captures(void) {
  enum { LONG = 12000 };
  static uint8_t text[LONG];
  sluice_capture capture[2];
  size_t count = 0;
  sluice_matcher m = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= \"a\" root | b\nb[capture] ::= \"b\"+"));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, (const uint8_t *)"aabb", 4, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_captures(m, NULL, 0, &count, NULL, 0, &n, &error));
  CHECK(count == 1 && n == 3);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_captures(m, capture, 2, &count, text, sizeof text, &n, &error));
  CHECK(count == 1 && n == 3 && memcmp(text, "bbb", 3) == 0);
  CHECK(capture[0].name == 0 && capture[0].name_length == 1 && capture[0].text == 1 && capture[0].text_length == 2);
  m = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root[capture] ::= \"a\" root | \"a\""));
  memset(text, 'a', sizeof text);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, text, LONG, &error));
  GIVES(sluice_matcher_captures, SLUICE_E_LIMIT, (m, capture, 2, &count, text, sizeof text, &n, &error));

  sluice_matcher empty = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= \"a\""));
  GIVES(sluice_matcher_captures, SLUICE_OK, (empty, capture, 2, &count, text, sizeof text, &n, &error));
  CHECK(count == 0 && n == 0);
  GIVES(sluice_matcher_captures, SLUICE_E_ARGUMENT, (empty, capture, 2, NULL, text, sizeof text, &n, &error));
  GIVES(sluice_matcher_captures, SLUICE_E_HANDLE, (0, NULL, 0, &count, NULL, 0, &n, &error));
}

/* The output of a matcher that keeps it, and of one that does not. */
static void test_output(void) {
  uint8_t text[8];
  sluice_matcher m = 0, twin = 0;
  sluice_matcher_options options = {.struct_size = sizeof options, .flags = SLUICE_KEEP_OUTPUT};
  sluice_grammar g = compile(compiler, SLUICE_KIND_REGEX, "a+b*");
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(g, &options, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'a', 'b'}, 2, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fork(m, &twin, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(m, 1, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'a', END_TOKEN}, 2, NULL, &error));
  GIVES(sluice_matcher_output, SLUICE_OK, (m, text, sizeof text, &n, &error));
  CHECK(n == 2 && memcmp(text, "aa", 2) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_output(twin, text, 1, &n, &error));
  CHECK(n == 2 && memcmp(text, "aa", 2) == 0); /* of "ab" there was room for one byte */
  GIVES(sluice_matcher_output, SLUICE_E_ARGUMENT, (new_matcher(g), text, sizeof text, &n, &error));
  GIVES(sluice_matcher_output, SLUICE_E_HANDLE, (0, text, sizeof text, &n, &error));
}

/* Tokens that need no step of the model. */
static void test_drafts(void) {
  static const char file[] =
      "{\"pre_tokenizer\": {\"type\": \"ByteLevel\"}, \"decoder\": {\"type\": \"ByteLevel\"}, \"model\": {\"type\": "
      "\"BPE\","
      " \"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2, \"\\u0120\": 3}, \"merges\": [\"a b\"]},"
      " \"added_tokens\": [{\"id\": 4, \"content\": \"</s>\", \"special\": true}]}";
  sluice_vocabulary_options options = {.struct_size = sizeof options, .keep_tokenizer = 2};
  sluice_vocabulary v = 0;
  sluice_compiler c = 0;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_vocabulary_from_data(SLUICE_FORMAT_TOKENIZER_JSON, (const uint8_t *)file,
                                                              sizeof file - 1, &options, &v, &error));
  options.keep_tokenizer = 1;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_from_data(SLUICE_FORMAT_TOKENIZER_JSON, (const uint8_t *)file,
                                                      sizeof file - 1, &options, &v, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(v, NULL, 0, &c, &error));
  sluice_matcher m = new_matcher(compile(c, SLUICE_KIND_REGEX, "abb a|abb b")), cold;
  int32_t ids[4] = {9, 9, 9, 9};
  n = 9;
  GIVES(sluice_matcher_forced_tokens, SLUICE_OK, (m, ids, 1, &n, UINT32_MAX, &error));
  CHECK(n == 2 && ids[0] == 2 && ids[1] == 9); /* "ab", "b"; the space is held back */
  GIVES(sluice_matcher_drafts, SLUICE_OK, (m, ids, 1, &n, 0, &error));
  CHECK(n == 1 && ids[0] == 2 && ids[1] == 9);
  cold = new_matcher(compile(c, SLUICE_KIND_REGEX, "bb b"));
  GIVES(sluice_matcher_forced_tokens, SLUICE_E_UNFINISHED, (cold, ids, 4, &n, 0, &error));
  GIVES(sluice_matcher_drafts, SLUICE_E_UNFINISHED, (cold, ids, 4, &n, 0, &error));
  CHECK(n == 1 && ids[0] == 2);
  GIVES(sluice_matcher_drafts, SLUICE_OK, (cold, ids, 4, &n, UINT32_MAX, &error));
  CHECK(n == 4 && ids[2] == 3 && ids[3] == 1);
  GIVES(sluice_matcher_forced_tokens, SLUICE_E_ARGUMENT, (m, ids, 4, NULL, 0, &error));
  GIVES(sluice_matcher_forced_tokens, SLUICE_E_HANDLE, (0, ids, 4, &n, 0, &error));
  GIVES(sluice_matcher_drafts, SLUICE_E_ARGUMENT, (m, NULL, 4, &n, 0, &error));
  GIVES(sluice_matcher_drafts, SLUICE_E_HANDLE, (0, ids, 4, &n, 0, &error));
  m = new_matcher(compile(compiler, SLUICE_KIND_REGEX, "ab"));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_forced_tokens(m, ids, 4, &n, UINT32_MAX, &error));
  CHECK(strstr(error.message, "keep_tokenizer") != NULL);
}

/* Outputs that are complete within a number of tokens. */
static void test_ending(void) {
  uint32_t least = 0;
  sluice_grammar g = compile(compiler, SLUICE_KIND_REGEX, "[(]*x{2}y*");
  sluice_matcher m = new_matcher(g), twin = 0;
  const sluice_batch batch = {.struct_size = sizeof batch, .n = 1, .matchers = &m};
  uint32_t limit = 4;
  GIVES(sluice_batch_set_max_tokens, SLUICE_OK, (&batch, &limit, &error));
  GIVES(sluice_batch_set_max_tokens, SLUICE_E_ARGUMENT, (&batch, NULL, &error));
  limit = 2;
  GIVES(sluice_batch_set_max_tokens, SLUICE_E_UNSATISFIABLE, (&batch, &limit, &error));
  GIVES(sluice_matcher_min_tokens, SLUICE_OK, (m, &least, &error));
  CHECK(least == 3);
  GIVES(sluice_matcher_set_max_tokens, SLUICE_E_UNSATISFIABLE, (m, 2, &error));
  CHECK(strstr(error.message, "takes 3") != NULL);
  GIVES(sluice_matcher_set_max_tokens, SLUICE_OK, (m, 4, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m, '('));
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(m, '('));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  for (uint32_t id = 0; id < 32 * WORDS; id++) {
    CHECK((row[id / 32] >> id % 32 & 1) == (id == 'x'));
  }
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fork(m, &twin, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(twin, (const int32_t[]){'x', 'x'}, 2, NULL, &error));
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(twin, 'y'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(twin, END_TOKEN));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_set_max_tokens(m, 0, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m, '('));
  m = new_matcher(
      compile(compiler, SLUICE_KIND_JSON_SCHEMA,
              "{\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 2, \"items\": {\"type\": \"number\"}}"));
  GIVES(sluice_matcher_set_max_tokens, SLUICE_E_LIMIT, (m, 100, &error));
  limit = 100;
  GIVES(sluice_batch_set_max_tokens, SLUICE_E_LIMIT, (&batch, &limit, &error));
  GIVES(sluice_matcher_min_tokens, SLUICE_E_LIMIT, (m, &least, &error));
  GIVES(sluice_matcher_min_tokens, SLUICE_E_ARGUMENT, (m, NULL, &error));
  GIVES(sluice_matcher_min_tokens, SLUICE_E_HANDLE, (0, &least, &error));
  GIVES(sluice_matcher_set_max_tokens, SLUICE_E_HANDLE, (0, 1, &error));
}

/* Strings at which an output stops. */
static void test_stops(void) {
  static uint8_t large[4097];
  const uint8_t *strings[] = {(const uint8_t *)"xy", (const uint8_t *)"b", large};
  const size_t lengths[] = {2, 1, sizeof large}, none[] = {0};
  sluice_grammar g = compile(compiler, SLUICE_KIND_REGEX, "[a-z]*");
  sluice_matcher m = new_matcher(g);
  sluice_stop stop = {.string = 9};
  uint32_t state = 0, count = 2;
  memset(large, 'a', sizeof large);
  GIVES(sluice_matcher_set_stop_strings, SLUICE_OK, (m, strings, lengths, 2, &error));
  GIVES(sluice_matcher_set_stop_strings, SLUICE_E_LIMIT, (m, strings, lengths, 3, &error));
  GIVES(sluice_matcher_set_stop_strings, SLUICE_E_ARGUMENT, (m, strings, none, 1, &error));
  CHECK(strstr(error.message, "empty") != NULL);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_set_stop_strings(m, NULL, lengths, 1, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_set_stop_strings(m, strings, NULL, 1, &error));
  GIVES(sluice_matcher_set_stop_strings, SLUICE_E_HANDLE, (0, NULL, NULL, 0, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m, 'x'));
  GIVES(sluice_matcher_stopped, SLUICE_OK, (m, &stop, &error));
  CHECK(stop.string == SLUICE_NO_STOP && stop.behind == 0 && stop.held_back == 1);
  CHECK(sluice_matcher_accept(m, (const int32_t[]){'y', 'z'}, 2, &n, &error) == SLUICE_E_REJECTED && n == 1);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_stopped(m, &stop, &error));
  CHECK(stop.string == 0 && stop.behind == 2 && stop.held_back == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  CHECK(state == (SLUICE_STATE_COMPLETED | SLUICE_STATE_TERMINATED | SLUICE_STATE_STOPPED));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  for (uint32_t id = 0; id < 32 * WORDS; id++) {
    CHECK((row[id / 32] >> id % 32 & 1) == (id == END_TOKEN));
  }
  GIVES(sluice_matcher_stopped, SLUICE_E_ARGUMENT, (m, NULL, &error));
  GIVES(sluice_matcher_stopped, SLUICE_E_HANDLE, (0, &stop, &error));

  sluice_matcher twice[] = {new_matcher(g), 0};
  sluice_batch batch = {.struct_size = sizeof batch, .n = 1, .matchers = twice, .counts = &count, .stops = &stop};
  twice[1] = twice[0];
  GIVES(sluice_batch_set_stop_strings, SLUICE_OK, (&batch, strings, lengths, &error));
  CHECK(stop.string == SLUICE_NO_STOP);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(twice[0], 'b'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_stopped(twice[0], &stop, &error));
  CHECK(stop.string == 1 && stop.behind == 1);
  GIVES(sluice_batch_set_stop_strings, SLUICE_E_ARGUMENT, (&batch, NULL, lengths, &error));
  count = 3;
  GIVES(sluice_batch_set_stop_strings, SLUICE_E_LIMIT, (&batch, strings, lengths, &error));
  batch.n = 2;
  batch.counts = NULL;
  batch.stops = NULL;
  GIVES(sluice_batch_set_stop_strings, SLUICE_E_BUSY, (&batch, strings, lengths, &error));
  twice[0] = 0;
  GIVES(sluice_batch_set_stop_strings, SLUICE_E_HANDLE, (&batch, strings, lengths, &error));
}

/* Events of a document and of a finished output. */
static void test_events(void) {
  enum { DEEP = 513 };
  static const char request[] = "{}", family[] = "{\"family\": \"hermes\"}";
  static const char output[] = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
  static char deep[64 + DEEP];
  sluice_event event[8];
  uint8_t bytes[64];
  size_t count = 0;
  sluice_matcher m = 0;
  sluice_matcher_options options = {.struct_size = sizeof options, .flags = SLUICE_KEEP_OUTPUT};
  const sluice_grammar g = compile(compiler, SLUICE_KIND_JSON_SCHEMA, "{\"type\": \"array\"}");
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(g, &options, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'[', '"', 'a'}, 3, NULL, &error));
  GIVES(sluice_matcher_events, SLUICE_OK, (m, 0, NULL, 0, &count, NULL, 0, &n, &error));
  CHECK(count == 2 && n == 6); /* nothing is lost for want of room */
  CHECK_STATUS(SLUICE_OK, sluice_matcher_events(m, 0, event, 8, &count, bytes, sizeof bytes, &n, &error));
  CHECK(count == 2 && n == 6 && memcmp(bytes, "[/0a\"a", 6) == 0);
  CHECK(event[0].kind == SLUICE_EVENT_ARRAY && event[0].flags == SLUICE_EVENT_BEGINS &&
        event[0].call == SLUICE_NO_CALL);
  CHECK(event[1].kind == SLUICE_EVENT_STRING && event[1].pointer == 1 && event[1].pointer_length == 2);
  CHECK(event[1].text == 3 && event[1].text_length == 1 && event[1].json == 4 && event[1].json_length == 2);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(m, 2, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){']', END_TOKEN}, 2, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_events(m, 0, event, 8, &count, bytes, sizeof bytes, &n, &error));
  CHECK(count == 3 && event[0].kind == SLUICE_EVENT_REWIND && event[0].kept == 0 &&
        event[2].flags == SLUICE_EVENT_ENDS);
  GIVES(sluice_matcher_events, SLUICE_E_ARGUMENT, (m, 2, NULL, 0, &count, NULL, 0, &n, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_matcher_events(new_matcher(g), 0, NULL, 0, &count, NULL, 0, &n, &error));
  GIVES(sluice_matcher_events, SLUICE_E_HANDLE, (0, 0, NULL, 0, &count, NULL, 0, &n, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_reset(m, &error));
  memset(deep, '[', DEEP);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, (const uint8_t *)deep, DEEP, &error));
  GIVES(sluice_matcher_events, SLUICE_E_LIMIT, (m, 0, NULL, 0, &count, NULL, 0, &n, &error));
  UNSEEN(sluice_matcher_events, SLUICE_E_INVALID); /* no grammar is known that lets such an output through */

#define PARSE(status, text, size, body, given) \
  GIVES(sluice_parse_calls, status,            \
        (text, size, body, strlen(body), given, strlen(given), event, 8, &count, bytes, sizeof bytes, &n, &error))
  PARSE(SLUICE_OK, output, sizeof output - 1, request, family);
  CHECK(count == 4 && event[0].kind == SLUICE_EVENT_CALL && event[3].flags == SLUICE_EVENT_ENDS && event[3].call == 0);
  PARSE(SLUICE_E_INVALID, output, sizeof output - 16, request, family);
  PARSE(SLUICE_E_SYNTAX, output, 1, "{", family);
  PARSE(SLUICE_E_ARGUMENT, output, 1, request, "{\"family\": \"none\"}");
  const int head = sprintf(deep, "%.*s{\"a\": ", (int)(strstr(output, "{}") - output), output);
  memset(deep + head, '[', DEEP);
  PARSE(SLUICE_E_LIMIT, deep, (size_t)head + DEEP, request, family);
#undef PARSE
}

/* The temperature of the next token. */
static void test_temperature(void) {
  double t = -1;
  uint32_t some = 2;
  sluice_matcher m = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= b\nb[temperature=0.5] ::= \"b\"+"));
  GIVES(sluice_matcher_temperature, SLUICE_OK, (m, &t, &some, &error));
  CHECK(t == 0.5 && some == 1);
  GIVES(sluice_matcher_temperature, SLUICE_E_ARGUMENT, (m, &t, NULL, &error));
  GIVES(sluice_matcher_temperature, SLUICE_E_HANDLE, (0, &t, &some, &error));
}

/* A sequence that reasons first: its rows, its budget, and why a token may come. */
static void test_reasoning(void) {
  static const uint32_t end[] = {'!', '?'}, begin[] = {'<'};
  char text[2000];
  sluice_matcher m = 0;
  sluice_reasoning reasoning = {.struct_size = sizeof reasoning, .end = end, .n_end = 2, .begin = begin, .n_begin = 1};
  sluice_matcher_options options = {.struct_size = sizeof options, .reasoning = &reasoning};
  sluice_grammar g = compile(compiler, SLUICE_KIND_REGEX, "ab*");
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(g, &options, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  CHECK((row['<' / 32] >> '<' % 32 & 1) == 1 && (row['a' / 32] >> 'a' % 32 & 1) == 1);
  CHECK((row['b' / 32] >> 'b' % 32 & 1) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'<', 'x', '!', 'y'}, 4, NULL, &error));
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(m, END_TOKEN));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'!', '?', 'a'}, 3, NULL, &error));
  uint32_t state = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  CHECK(state == SLUICE_STATE_COMPLETED);
  reasoning.flags = SLUICE_REASONING_LIMITED;
  reasoning.n_begin = 0;
  reasoning.budget = 1;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(g, &options, &m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, (const int32_t[]){'x'}, 1, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  for (uint32_t id = 0; id < 32 * WORDS; id++) {
    CHECK((row[id / 32] >> id % 32 & 1) == (id == '!'));
  }
  GIVES(sluice_matcher_explain, SLUICE_OK, (m, 'x', text, sizeof text, &n, &error));
  CHECK(n < sizeof text);
  text[n] = 0;
  CHECK(strstr(text, "budget") != NULL);
  GIVES(sluice_matcher_explain, SLUICE_OK, (m, '!', NULL, 0, &n, &error));
  GIVES(sluice_matcher_explain, SLUICE_E_ARGUMENT, (m, 100000, NULL, 0, &n, &error));
  GIVES(sluice_matcher_explain, SLUICE_E_HANDLE, (0, 'x', NULL, 0, &n, &error));
  GIVES(sluice_matcher_explanation, SLUICE_OK, (m, 'x', NULL, 0, text, sizeof text, &n, &error));
  CHECK(n < sizeof text);
  text[n] = 0;
  CHECK(strstr(text, "\"allowed\":false") != NULL);
  GIVES(sluice_matcher_explanation, SLUICE_OK, (m, 0, (const uint8_t *)"!", 1, NULL, 0, &n, &error));
  GIVES(sluice_matcher_explanation, SLUICE_E_ARGUMENT, (m, 100000, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_matcher_explanation, SLUICE_E_HANDLE, (0, 'x', NULL, 0, NULL, 0, &n, &error));
  reasoning.flags = 2;
  GIVES(sluice_matcher_new, SLUICE_E_ARGUMENT, (g, &options, &m, &error));
  reasoning.flags = 0;
  reasoning.n_end = 0;
  GIVES(sluice_matcher_new, SLUICE_E_ARGUMENT, (g, &options, &m, &error));
}

/* Steps and drafts of a batch of two, of which the second is as wanted. */
static void test_batch_steps(void) {
  static const int64_t next[] = {1, -1, 1, 1}, none[] = {-1, -1, -1, -1}, drafts[] = {0, 'b', 0, 'b'};
  const int32_t good[] = {'b', 'b'}, bad[] = {'b', 'Z'};
  const uint8_t *const texts[] = {(const uint8_t *)"1", (const uint8_t *)"Z"}, *const nines[] = {texts[0], texts[0]};
  const size_t lengths[] = {1, 1};
  sluice_matcher two[2] = {0, 0};
  uint32_t rows[4 * WORDS];
  sluice_batch batch = {.struct_size = sizeof batch,
                        .n = 2,
                        .matchers = two,
                        .masks = rows,
                        .n_rows = 4,
                        .row_words = WORDS,
                        .words = WORDS};
  const sluice_trees trees = {
      .struct_size = sizeof trees, .nodes = 2, .next_token = next, .next_sibling = none, .tokens = drafts};
  sluice_trees sound = trees;
  sound.stride = 0;
  sluice_grammar fresh = compile(small_compiler(), SLUICE_KIND_REGEX, "b+[0-9x]*");
  two[0] = new_matcher(fresh);
  two[1] = new_matcher(fresh);
  batch.ids = good;
  GIVES(sluice_batch_validate, SLUICE_E_UNFINISHED, (&batch, 0, &error));
  GIVES(sluice_batch_accept, SLUICE_E_UNFINISHED, (&batch, 0, &error));
  GIVES(sluice_batch_fill_chains, SLUICE_E_UNFINISHED, (&batch, 0, &error));
  sound.next_token = none;
  sluice_grammar other = compile(small_compiler(), SLUICE_KIND_REGEX, "b+[0-9x]*");
  two[0] = new_matcher(other);
  sluice_trees one = trees;
  batch.n = 1;
  GIVES(sluice_batch_fill_trees, SLUICE_E_UNFINISHED, (&batch, &one, 0, &error));
  GIVES(sluice_batch_fill_trees, SLUICE_OK, (&batch, &one, UINT32_MAX, &error));
  batch.n = 2;
  GIVES(sluice_batch_fill_trees, SLUICE_E_ARGUMENT, (&batch, &trees, UINT32_MAX, &error)); /* a loop */
  GIVES(sluice_batch_fill_chains, SLUICE_OK, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_validate, SLUICE_OK, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_accept, SLUICE_OK, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_accept_bytes, SLUICE_E_UNFINISHED, (&batch, nines, lengths, 0, &error));
  GIVES(sluice_batch_accept_bytes, SLUICE_OK, (&batch, nines, lengths, UINT32_MAX, &error));
  GIVES(sluice_batch_accept_bytes, SLUICE_E_REJECTED, (&batch, texts, lengths, UINT32_MAX, &error));
  GIVES(sluice_batch_accept_bytes, SLUICE_E_ARGUMENT, (&batch, texts, NULL, UINT32_MAX, &error));
  CHECK_STATUS(SLUICE_OK, sluice_batch_rollback(&batch, &error));
  batch.ids = bad;
  GIVES(sluice_batch_validate, SLUICE_E_REJECTED, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_accept, SLUICE_E_REJECTED, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_rollback, SLUICE_OK, (&batch, &error));
  GIVES(sluice_batch_rollback, SLUICE_E_ARGUMENT, (&batch, &error)); /* of the second nothing is left */
  batch.ids = NULL;
  GIVES(sluice_batch_validate, SLUICE_E_ARGUMENT, (&batch, 0, &error));
  GIVES(sluice_batch_accept, SLUICE_E_ARGUMENT, (&batch, 0, &error));
  GIVES(sluice_batch_fill_chains, SLUICE_E_ARGUMENT, (&batch, 0, &error));
  batch.ids = good;
  const struct {
    sluice_matcher second;
    sluice_status want;
    const char *name;
  } others[] = {{0, SLUICE_E_HANDLE, "SLUICE_E_HANDLE"}, {two[0], SLUICE_E_BUSY, "SLUICE_E_BUSY"}};
  for (size_t i = 0; i < 2; i++) {
    two[1] = others[i].second;
    const sluice_status want = others[i].want;
    const char *name = others[i].name;
    gives("sluice_batch_validate", want, name, sluice_batch_validate(&batch, UINT32_MAX, &error), __LINE__);
    gives("sluice_batch_accept", want, name, sluice_batch_accept(&batch, UINT32_MAX, &error), __LINE__);
    gives("sluice_batch_accept_bytes", want, name,
          sluice_batch_accept_bytes(&batch, texts, lengths, UINT32_MAX, &error), __LINE__);
    gives("sluice_batch_set_max_tokens", want, name,
          sluice_batch_set_max_tokens(&batch, (const uint32_t[]){0, 0}, &error), __LINE__);
    gives("sluice_batch_rollback", want, name, sluice_batch_rollback(&batch, &error), __LINE__);
    gives("sluice_batch_fill_chains", want, name, sluice_batch_fill_chains(&batch, UINT32_MAX, &error), __LINE__);
    gives("sluice_batch_fill_trees", want, name, sluice_batch_fill_trees(&batch, &sound, UINT32_MAX, &error), __LINE__);
  }
  two[1] = stuck();
  GIVES(sluice_batch_fill_chains, SLUICE_E_UNSATISFIABLE, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_fill_trees, SLUICE_E_UNSATISFIABLE, (&batch, &sound, UINT32_MAX, &error));
}

#endif /* SLUICE_TESTS_STATUSES_STEPS_H */
