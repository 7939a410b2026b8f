/* statuses.c provokes and prints every status that the header says a call returns, "function STATUS", for statuses.sh.
 * "unseen function STATUS" is one that no test of this size brings about; the reason stands beside it. */
#define _XOPEN_SOURCE 700 /* mkstemp, pwrite */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "support.h"

/* GIVES calls a function of the header and wants a status. */
#define GIVES(function, want, arguments) gives(#function, want, #want, function arguments, __LINE__)
#define UNSEEN(function, status) printf("unseen " #function " " #status "\n")

static void gives(const char *function, sluice_status want, const char *name, sluice_status got, int line) {
  if (want != got) {
    fprintf(stderr, "statuses.c:%d: %s returned %s, want %s\n  last error: %s\n", line, function,
            sluice_status_name(got), name, error.message);
    exit(1);
  }
  if (want != SLUICE_OK && error.struct_size == sizeof error && error.message[0] != 0) {
    CHECK(strlen(error.message) > 20); /* who reads it knows more than the code */
  }
  printf("%s %s\n", function, name);
}

static sluice_vocabulary vocabulary;
static sluice_compiler compiler;
static sluice_grammar grammar;
static sluice_matcher matcher;
static uint32_t row[WORDS];
static size_t n;

#include "statuses_compilers.h"
#include "statuses_requests.h"

static void test_vocabulary_new(void) {
  static uint8_t bytes[20000];
  static const uint64_t offsets[] = {0, 1, 2}, down[] = {0, 2, 1}, huge[] = {0, 1, 20000};
  static const uint32_t end[] = {1};
  sluice_vocabulary v = 0;
  sluice_vocabulary_config config = {.struct_size = sizeof config,
                                     .n_tokens = 2,
                                     .bytes = bytes,
                                     .offsets = offsets,
                                     .end_tokens = end,
                                     .n_end_tokens = 1};
  bytes[0] = 'a';
  bytes[1] = 'b';
  GIVES(sluice_vocabulary_new, SLUICE_OK, (&config, &v, &error));
  config.offsets = down;
  GIVES(sluice_vocabulary_new, SLUICE_E_ARGUMENT, (&config, &v, &error));
  config.offsets = huge;
  GIVES(sluice_vocabulary_new, SLUICE_E_LIMIT, (&config, &v, &error));
  GIVES(sluice_vocabulary_free, SLUICE_OK, (v));
  GIVES(sluice_vocabulary_free, SLUICE_E_HANDLE, (v));
}

/* The content of a tokenizer's file, and what becomes of it. */
static void test_vocabulary_files(void) {
  static char large[40000];
  memset(large, 'Q', 30007); /* base64 of 22,500 bytes: a token too long */
  memcpy(large, "YQ== 0\n", 7);
  memcpy(large + 30007, " 1\n", 4);
  const struct {
    const char *text;
    sluice_status want;
    const char *name;
  } files[] = {
      {"YQ== 0\nYg== 1\n", SLUICE_OK, "SLUICE_OK"}, {"{\"model\": ", SLUICE_E_SYNTAX, "SLUICE_E_SYNTAX"},
      {"{}", SLUICE_E_INVALID, "SLUICE_E_INVALID"}, {"neither nor", SLUICE_E_UNSUPPORTED, "SLUICE_E_UNSUPPORTED"},
      {large, SLUICE_E_LIMIT, "SLUICE_E_LIMIT"},
  };
  sluice_vocabulary v = 0;
  char path[64];
  FILE *file = tmpfile(); /* which has no name: nothing is left however the program ends */
  CHECK(file != NULL);
  int fd = fileno(file);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    const char *text = files[i].text;
    size_t length = strlen(text);
    gives("sluice_vocabulary_from_data", files[i].want, files[i].name,
          sluice_vocabulary_from_data(SLUICE_FORMAT_AUTO, (const uint8_t *)text, length, NULL, &v, &error), __LINE__);
    CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, text, length, 0) == (ssize_t)length);
    gives("sluice_vocabulary_from_file", files[i].want, files[i].name,
          sluice_vocabulary_from_file(path, strlen(path), NULL, &v, &error), __LINE__);
  }
  CHECK(fclose(file) == 0); /* and the path leads nowhere */
  GIVES(sluice_vocabulary_from_file, SLUICE_E_IO, (path, strlen(path), NULL, &v, &error));
  GIVES(sluice_vocabulary_from_file, SLUICE_E_ARGUMENT, (path, strlen(path), NULL, NULL, &error));
  GIVES(sluice_vocabulary_from_data, SLUICE_E_ARGUMENT, (99, NULL, 0, NULL, &v, &error));
}

static void test_vocabulary_facts(void) {
  sluice_vocabulary_facts facts = {.struct_size = sizeof facts};
  uint32_t id = 0;
  GIVES(sluice_vocabulary_info, SLUICE_OK, (vocabulary, &facts, &error));
  GIVES(sluice_vocabulary_info, SLUICE_E_ARGUMENT, (vocabulary, NULL, &error));
  GIVES(sluice_vocabulary_info, SLUICE_E_HANDLE, (0, &facts, &error));
  GIVES(sluice_vocabulary_token, SLUICE_OK, (vocabulary, 1, NULL, 0, &n, NULL, &error));
  GIVES(sluice_vocabulary_token, SLUICE_E_ARGUMENT, (vocabulary, N_TOKENS, NULL, 0, &n, NULL, &error));
  GIVES(sluice_vocabulary_token, SLUICE_E_HANDLE, (0, 1, NULL, 0, &n, NULL, &error));
  GIVES(sluice_vocabulary_token_id, SLUICE_OK, (vocabulary, "</s>", 4, &id, &error));
  GIVES(sluice_vocabulary_token_id, SLUICE_E_ARGUMENT, (vocabulary, "<s>", 3, &id, &error));
  GIVES(sluice_vocabulary_token_id, SLUICE_E_HANDLE, (0, "</s>", 4, &id, &error));
  GIVES(sluice_vocabulary_end_tokens, SLUICE_OK, (vocabulary, NULL, 0, &n, &error));
  GIVES(sluice_vocabulary_end_tokens, SLUICE_E_ARGUMENT, (vocabulary, NULL, 5, &n, &error));
  GIVES(sluice_vocabulary_end_tokens, SLUICE_E_HANDLE, (0, NULL, 0, &n, &error));
}

/* Constraints that fail, each also with as much padding as makes it a job. */
static const struct {
  uint32_t kind;
  const char *before, *pad, *after;
  sluice_status want;
  const char *name;
} specs[] = {
    {SLUICE_KIND_REGEX, "", "a", "b", SLUICE_OK, "SLUICE_OK"},
    {SLUICE_KIND_REGEX, "", "a", "(", SLUICE_E_SYNTAX, "SLUICE_E_SYNTAX"},
    {SLUICE_KIND_EBNF, "root ::= nowhere #", "x", "\n", SLUICE_E_INVALID, "SLUICE_E_INVALID"},
    {SLUICE_KIND_REGEX, "", "a", "(b)\\1", SLUICE_E_UNSUPPORTED, "SLUICE_E_UNSUPPORTED"},
    {SLUICE_KIND_JSON_SCHEMA, "false", " ", "", SLUICE_E_UNSATISFIABLE, "SLUICE_E_UNSATISFIABLE"},
    {99, "", "x", "", SLUICE_E_ARGUMENT, "SLUICE_E_ARGUMENT"},
    {SLUICE_KIND_JSON_SCHEMA, "true", " ", "", SLUICE_E_LIMIT, "SLUICE_E_LIMIT"}, /* 65 MiB */
};

static char *padded(size_t i, size_t pads, size_t *length) {
  if (specs[i].want == SLUICE_E_LIMIT) {
    pads = (size_t)65 << 20;
  }
  size_t before = strlen(specs[i].before), after = strlen(specs[i].after);
  char *text = malloc(before + pads + after + 1);
  CHECK(text != NULL);
  memcpy(text, specs[i].before, before);
  memset(text + before, specs[i].pad[0], pads);
  memcpy(text + before + pads, specs[i].after, after + 1);
  *length = before + pads + after;
  return text;
}

static void test_compile(void) {
  sluice_grammar g = 0;
  sluice_job job = 0;
  for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
    size_t length;
    char *text = padded(i, 3, &length);
    gives("sluice_grammar_compile", specs[i].want, specs[i].name,
          sluice_grammar_compile(compiler, specs[i].kind, text, length, NULL, 0, &g, &error), __LINE__);
    gives("sluice_grammar_start", specs[i].want, specs[i].name,
          sluice_grammar_start(compiler, specs[i].kind, text, length, NULL, 0, UINT32_MAX, &g, &job, &error), __LINE__);
    free(text);
    if (specs[i].want == SLUICE_E_ARGUMENT) {
      UNSEEN(sluice_job_wait, SLUICE_E_ARGUMENT); /* the call that starts a job reports it */
      continue;
    }
    text = padded(i, 20000, &length);
    GIVES(sluice_grammar_start, SLUICE_E_UNFINISHED,
          (compiler, specs[i].kind, text, length, NULL, 0, 0, &g, &job, &error));
    memset(text, 'z', length); /* the text was copied */
    free(text);
    gives("sluice_job_wait", specs[i].want, specs[i].name, sluice_job_wait(job, UINT32_MAX, &g, &error), __LINE__);
    GIVES(sluice_job_wait, SLUICE_E_HANDLE, (job, 0, &g, &error));
  }
  CHECK_STATUS(SLUICE_E_UNFINISHED, /* a short text */
               sluice_grammar_start(compiler, SLUICE_KIND_REGEX, "[ab]+c", 6, NULL, 0, 0, &g, &job, &error));
  CHECK_STATUS(SLUICE_OK, sluice_job_wait(job, UINT32_MAX, &g, &error));
  GIVES(sluice_grammar_compile, SLUICE_E_HANDLE, (0, SLUICE_KIND_REGEX, "a", 1, NULL, 0, &g, &error));
  GIVES(sluice_grammar_start, SLUICE_E_HANDLE, (0, SLUICE_KIND_REGEX, "a", 1, NULL, 0, 0, &g, &job, &error));
}

#include "statuses_jobs.h"

static void test_grammar(void) {
  sluice_grammar g = compile(compiler, SLUICE_KIND_JSON_SCHEMA, "{\"format\": \"no-such-format\"}");
  sluice_grammar_facts facts = {.struct_size = sizeof facts};
  sluice_note note = {.struct_size = sizeof note};
  GIVES(sluice_grammar_info, SLUICE_OK, (g, &facts, &error));
  CHECK(facts.compile_work > 0 && facts.compile_ns > 0);
  GIVES(sluice_grammar_info, SLUICE_E_ARGUMENT, (g, NULL, &error));
  GIVES(sluice_grammar_info, SLUICE_E_HANDLE, (0, &facts, &error));
  GIVES(sluice_grammar_note, SLUICE_OK, (g, 0, &note, &error));
  GIVES(sluice_grammar_note, SLUICE_E_ARGUMENT, (g, facts.n_notes, &note, &error));
  GIVES(sluice_grammar_note, SLUICE_E_HANDLE, (0, 0, &note, &error));
  GIVES(sluice_grammar_free, SLUICE_OK, (g));
  GIVES(sluice_grammar_free, SLUICE_E_HANDLE, (g));
}

static void test_matcher_objects(void) {
  sluice_matcher m = 0, f = 0;
  GIVES(sluice_matcher_new, SLUICE_OK, (grammar, NULL, &m, &error));
  GIVES(sluice_matcher_new, SLUICE_E_ARGUMENT, (grammar, NULL, NULL, &error));
  GIVES(sluice_matcher_new, SLUICE_E_HANDLE, (m, NULL, &f, &error));
  UNSEEN(sluice_matcher_new, SLUICE_E_LIMIT); /* sixteen million matchers alive */
  GIVES(sluice_matcher_fork, SLUICE_OK, (m, &f, &error));
  GIVES(sluice_matcher_fork, SLUICE_E_ARGUMENT, (m, NULL, &error));
  GIVES(sluice_matcher_fork, SLUICE_E_HANDLE, (0, &f, &error));
  UNSEEN(sluice_matcher_fork, SLUICE_E_LIMIT);
  GIVES(sluice_matcher_reset, SLUICE_OK, (m, &error));
  GIVES(sluice_matcher_reset, SLUICE_E_HANDLE, (0, &error));
  GIVES(sluice_matcher_free, SLUICE_OK, (m));
  GIVES(sluice_matcher_free, SLUICE_E_HANDLE, (m));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(f));
}

/* What cannot go on: the vocabulary {a, b, </s>} and ac|b, after a. */
static sluice_matcher stuck(void) {
  static const uint8_t bytes[] = "ab</s>";
  static const uint64_t offsets[] = {0, 1, 2, 6};
  static const uint32_t end[] = {2};
  const sluice_vocabulary_config config = {.struct_size = sizeof config,
                                           .n_tokens = 3,
                                           .bytes = bytes,
                                           .offsets = offsets,
                                           .end_tokens = end,
                                           .n_end_tokens = 1,
                                           .padded_size = PADDED};
  sluice_vocabulary v = 0;
  sluice_compiler c = 0;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_new(&config, &v, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(v, NULL, 0, &c, &error));
  sluice_matcher m = new_matcher(compile(c, SLUICE_KIND_REGEX, "ac|b"));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(m, 0));
  return m;
}

static void test_steps(void) {
  const int32_t good[] = {'a', 'b'}, bad[] = {'a', 'Z'};
  const uint8_t *text = (const uint8_t *)"ab";
  sluice_matcher m = new_matcher(grammar);
  GIVES(sluice_matcher_validate, SLUICE_OK, (m, good, 2, &n, &error));
  GIVES(sluice_matcher_validate, SLUICE_E_REJECTED, (m, bad, 2, &n, &error));
  GIVES(sluice_matcher_validate, SLUICE_E_ARGUMENT, (m, NULL, 2, &n, &error));
  GIVES(sluice_matcher_validate, SLUICE_E_HANDLE, (0, good, 2, &n, &error));
  GIVES(sluice_matcher_accept, SLUICE_OK, (m, good, 2, &n, &error));
  GIVES(sluice_matcher_accept, SLUICE_E_REJECTED, (m, bad, 2, &n, &error));
  GIVES(sluice_matcher_accept, SLUICE_E_ARGUMENT, (m, NULL, 2, &n, &error));
  GIVES(sluice_matcher_accept, SLUICE_E_HANDLE, (0, good, 2, &n, &error));
  GIVES(sluice_matcher_accept_token, SLUICE_OK, (m, 'b'));
  GIVES(sluice_matcher_accept_token, SLUICE_E_REJECTED, (m, 'a'));
  GIVES(sluice_matcher_accept_token, SLUICE_E_HANDLE, (0, 'a'));
  GIVES(sluice_matcher_rollback, SLUICE_OK, (m, 3, &error));
  GIVES(sluice_matcher_rollback, SLUICE_E_ARGUMENT, (m, 1, &error));
  GIVES(sluice_matcher_rollback, SLUICE_E_HANDLE, (0, 0, &error));
  GIVES(sluice_matcher_accept_bytes, SLUICE_OK, (m, text, 2, &error));
  GIVES(sluice_matcher_accept_bytes, SLUICE_E_REJECTED, (m, text, 2, &error));
  GIVES(sluice_matcher_accept_bytes, SLUICE_E_ARGUMENT, (m, NULL, 2, &error));
  GIVES(sluice_matcher_accept_bytes, SLUICE_E_HANDLE, (0, text, 2, &error));

  /* The same without cached results, by the calls that do not wait for them. */
  const uint32_t none = 0, ever = UINT32_MAX;
  sluice_matcher t = new_matcher(compile(small_compiler(), SLUICE_KIND_REGEX, "ab+[0-9x]*"));
  GIVES(sluice_matcher_try_validate, SLUICE_E_UNFINISHED, (t, good, 2, &n, none, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_E_UNFINISHED, (t, good, 2, &n, none, &error));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_UNFINISHED, (t, text, 2, none, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_length(t, &n, &error));
  CHECK(n == 0);
  GIVES(sluice_matcher_try_validate, SLUICE_OK, (t, good, 2, &n, ever, &error));
  GIVES(sluice_matcher_try_validate, SLUICE_E_REJECTED, (t, bad, 2, &n, ever, &error));
  GIVES(sluice_matcher_try_validate, SLUICE_E_ARGUMENT, (t, NULL, 2, &n, none, &error));
  GIVES(sluice_matcher_try_validate, SLUICE_E_HANDLE, (0, good, 2, &n, none, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_OK, (t, good, 2, &n, 1000, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_E_REJECTED, (t, bad, 2, &n, 1000, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_E_ARGUMENT, (t, NULL, 2, &n, none, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_E_HANDLE, (0, good, 2, &n, none, &error));
  GIVES(sluice_matcher_try_accept_token, SLUICE_E_UNFINISHED, (t, 'x'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(t, 'x'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_rollback(t, 1, &error));
  GIVES(sluice_matcher_try_accept_token, SLUICE_OK, (t, 'x'));
  GIVES(sluice_matcher_try_accept_token, SLUICE_E_REJECTED, (t, INT32_MAX));
  GIVES(sluice_matcher_try_accept_token, SLUICE_E_HANDLE, (0, 'x'));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_reset(t, &error));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_OK, (t, text, 2, none, &error));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_REJECTED, (t, text, 2, ever, &error));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_ARGUMENT, (t, NULL, 2, none, &error));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_HANDLE, (0, text, 2, none, &error));
}

/* A text of which so much has to be taken back at once that the engine refuses: 70,000 levels end with one letter. */
static void test_step_limits(void) {
  enum { PIECE = 10000, PIECES = 7 }; /* the tokens of one call are bounded, too */
  static uint8_t deep[PIECE];
  const int32_t last[] = {'y'};
  memset(deep, '(', sizeof deep);
  sluice_matcher m = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= \"(\" root \"x\"? | \"y\""));
  for (int i = 0; i < PIECES; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, deep, sizeof deep, &error));
  }
  if (sluice_matcher_validate(m, last, 1, &n, &error) != SLUICE_E_LIMIT) {
    UNSEEN(sluice_matcher_explain, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_explanation, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_accept, SLUICE_E_LIMIT); /* the engine has learned to do this: no other way is known here */
    UNSEEN(sluice_matcher_accept_token, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_accept_bytes, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_validate, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_try_accept, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_try_accept_token, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_try_accept_bytes, SLUICE_E_LIMIT);
    UNSEEN(sluice_matcher_try_validate, SLUICE_E_LIMIT);
    UNSEEN(sluice_batch_accept, SLUICE_E_LIMIT);
    UNSEEN(sluice_batch_accept_bytes, SLUICE_E_LIMIT);
    UNSEEN(sluice_batch_validate, SLUICE_E_LIMIT);
    UNSEEN(sluice_batch_fill_chains, SLUICE_E_LIMIT);
    UNSEEN(sluice_batch_fill_trees, SLUICE_E_LIMIT);
    return;
  }
  GIVES(sluice_matcher_explain, SLUICE_E_LIMIT, (m, 'y', NULL, 0, &n, &error));
  GIVES(sluice_matcher_explanation, SLUICE_E_LIMIT, (m, 'y', NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_matcher_accept, SLUICE_E_LIMIT, (m, last, 1, &n, &error));
  CHECK(n == 0);
  GIVES(sluice_matcher_accept_token, SLUICE_E_LIMIT, (m, 'y'));
  GIVES(sluice_matcher_accept_bytes, SLUICE_E_LIMIT, (m, (const uint8_t *)"y", 1, &error));
  GIVES(sluice_matcher_validate, SLUICE_E_LIMIT, (m, last, 1, &n, &error));
  GIVES(sluice_matcher_try_accept, SLUICE_E_LIMIT, (m, last, 1, &n, 0, &error));
  GIVES(sluice_matcher_try_accept_token, SLUICE_E_LIMIT, (m, 'y'));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_LIMIT, (m, (const uint8_t *)"y", 1, 0, &error));
  GIVES(sluice_matcher_try_validate, SLUICE_E_LIMIT, (m, last, 1, &n, 0, &error));
  static const int64_t child[] = {1, -1}, none[] = {-1, -1}, draft[] = {0, 'y'};
  const sluice_trees trees = {
      .struct_size = sizeof trees, .nodes = 2, .next_token = child, .next_sibling = none, .tokens = draft};
  uint32_t rows[2 * WORDS];
  const sluice_batch batch = {.struct_size = sizeof batch,
                              .n = 1,
                              .matchers = &m,
                              .ids = last,
                              .masks = rows,
                              .n_rows = 2,
                              .row_words = WORDS,
                              .words = WORDS};
  GIVES(sluice_batch_accept, SLUICE_E_LIMIT, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_accept_bytes, SLUICE_E_LIMIT,
        (&batch, (const uint8_t *const[]){(const uint8_t *)"y"}, (const size_t[]){1}, UINT32_MAX, &error));
  GIVES(sluice_batch_validate, SLUICE_E_LIMIT, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_fill_chains, SLUICE_E_LIMIT, (&batch, UINT32_MAX, &error));
  GIVES(sluice_batch_fill_trees, SLUICE_E_LIMIT, (&batch, &trees, UINT32_MAX, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_length(m, &n, &error));
  CHECK(n == PIECES);
}

/* A text that can be read in so many ways that one call does not follow them: nothing moves, and pieces are accepted. */
static void test_text_limit(void) {
  enum { LONG = 400 };
  static uint8_t text[LONG];
  sluice_matcher m = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= \"a\" root{7} \" \" | \"a\"+"));
  memset(text, 'a', sizeof text);
  GIVES(sluice_matcher_accept_bytes, SLUICE_E_LIMIT, (m, text, LONG, &error));
  CHECK(error.line == 1 && error.offset > 0 && error.offset < LONG && strstr(error.message, "in several pieces"));
  GIVES(sluice_matcher_try_accept_bytes, SLUICE_E_LIMIT, (m, text, LONG, UINT32_MAX, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_length(m, &n, &error));
  CHECK(n == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, text, error.offset, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, text, 1, &error)); /* that byte */
}

#include "statuses_steps.h"

static void test_masks(void) {
  uint32_t state = 0, cold[WORDS];
  uint8_t forced[4];
  sluice_mask_key key = {0, 0};
  sluice_matcher dead = stuck();
  memset(cold, 0xCD, sizeof cold);
  memset(row, 0xCD, sizeof row);
  GIVES(sluice_matcher_fill, SLUICE_E_UNSATISFIABLE, (dead, row, WORDS, NULL, &error));
  CHECK(memcmp(row, cold, sizeof row) == 0);
  GIVES(sluice_matcher_try_fill, SLUICE_E_UNSATISFIABLE, (dead, row, WORDS, NULL));
  CHECK(memcmp(row, cold, sizeof row) == 0);
  GIVES(sluice_matcher_mask_key, SLUICE_E_UNSATISFIABLE, (dead, &key, &error));
  GIVES(sluice_matcher_fill, SLUICE_E_ARGUMENT, (matcher, row, WORDS - 1, NULL, &error));
  GIVES(sluice_matcher_fill, SLUICE_E_HANDLE, (0, row, WORDS, NULL, &error));
  GIVES(sluice_matcher_try_fill, SLUICE_E_ARGUMENT, (matcher, row, WORDS - 1, NULL));
  GIVES(sluice_matcher_try_fill, SLUICE_E_HANDLE, (0, row, WORDS, NULL));
  CHECK(memcmp(row, cold, sizeof row) == 0);
  /* No constraint is known whose masks are beyond the budget on every machine; tests of the engine lower the budget. */
  UNSEEN(sluice_matcher_fill, SLUICE_E_LIMIT);
  UNSEEN(sluice_matcher_try_fill, SLUICE_E_LIMIT);
  UNSEEN(sluice_matcher_mask_key, SLUICE_E_LIMIT);
  UNSEEN(sluice_matcher_finished, SLUICE_E_LIMIT);
  UNSEEN(sluice_batch_fill, SLUICE_E_LIMIT);
  UNSEEN(sluice_batch_keys, SLUICE_E_LIMIT);
  UNSEEN(sluice_batch_try_fill, SLUICE_E_LIMIT);
  UNSEEN(sluice_batch_try_keys, SLUICE_E_LIMIT);

  /* One call computes 4,096 bytes, so a call from the tenth byte on finds some of them cached. */
  static uint8_t text[4096], before[4096];
  sluice_grammar half_known = compile(small_compiler(), SLUICE_KIND_REGEX, "(ab){4000}");
  CHECK_STATUS(SLUICE_OK, sluice_matcher_forced_bytes(new_matcher(half_known), text, sizeof text, &n, &error));
  CHECK(n == 4096);
  sluice_matcher half = new_matcher(half_known);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(half, text, 10, &error));
  memset(text, 0x55, sizeof text);
  memcpy(before, text, sizeof text);
  n = 77;
  CHECK_STATUS(SLUICE_E_UNFINISHED, sluice_matcher_try_forced_bytes(half, text, sizeof text, &n, 0, &error));
  CHECK(n == 77 && memcmp(text, before, sizeof text) == 0);

  sluice_matcher t = new_matcher(compile(small_compiler(), SLUICE_KIND_REGEX, "ab+[0-9x]*"));
  GIVES(sluice_matcher_try_forced_bytes, SLUICE_E_UNFINISHED, (t, forced, sizeof forced, &n, 0, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(t, (const uint8_t *)"ab", 2, &error));
  GIVES(sluice_matcher_try_fill, SLUICE_E_UNFINISHED, (t, row, WORDS, NULL));
  CHECK(memcmp(row, cold, sizeof row) == 0);
  sluice_status statuses[2] = {-1, -1};
  sluice_matcher two[2] = {t, 0};
  sluice_mask_key keys[2];
  uint32_t rows[2 * WORDS];
  sluice_batch batch = {.struct_size = sizeof batch,
                        .n = 1,
                        .matchers = two,
                        .masks = rows,
                        .n_rows = 2,
                        .row_words = WORDS,
                        .words = WORDS,
                        .statuses = statuses};
  memset(rows, 0xCD, sizeof rows);
  GIVES(sluice_batch_try_keys, SLUICE_E_UNFINISHED, (&batch, keys, 0, &error));
  GIVES(sluice_batch_try_fill, SLUICE_E_UNFINISHED, (&batch, 0, &error));
  CHECK(statuses[0] == SLUICE_E_UNFINISHED && memcmp(rows, cold, sizeof cold) == 0);
  GIVES(sluice_batch_try_fill, SLUICE_OK, (&batch, 1000, &error)); /* the first row is always found */
  GIVES(sluice_batch_try_keys, SLUICE_OK, (&batch, keys, 0, &error));
  GIVES(sluice_batch_fill, SLUICE_OK, (&batch, &error));
  GIVES(sluice_batch_keys, SLUICE_OK, (&batch, keys, &error));
  GIVES(sluice_matcher_try_fill, SLUICE_OK, (t, row, WORDS, NULL));
  GIVES(sluice_matcher_fill, SLUICE_OK, (t, row, WORDS, NULL, &error));
  GIVES(sluice_matcher_mask_key, SLUICE_OK, (t, &key, &error));
  GIVES(sluice_matcher_mask_key, SLUICE_E_ARGUMENT, (t, NULL, &error));
  GIVES(sluice_matcher_mask_key, SLUICE_E_HANDLE, (0, &key, &error));

  /* What becomes of one row of a batch is its status; rows that fail are untouched. */
  const struct {
    sluice_matcher second;
    sluice_status want;
    const char *name;
  } others[] = {{0, SLUICE_E_HANDLE, "SLUICE_E_HANDLE"},
                {t, SLUICE_E_BUSY, "SLUICE_E_BUSY"},
                {dead, SLUICE_E_UNSATISFIABLE, "SLUICE_E_UNSATISFIABLE"}};
  batch.n = 2;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    two[1] = others[i].second;
    memset(rows, 0xCD, sizeof rows);
    gives("sluice_batch_fill", others[i].want, others[i].name, sluice_batch_fill(&batch, &error), __LINE__);
    CHECK(statuses[0] == SLUICE_OK && statuses[1] == others[i].want);
    CHECK(memcmp(rows, row, sizeof row) == 0 && memcmp(rows + WORDS, cold, sizeof cold) == 0);
    memset(rows, 0xCD, sizeof rows);
    gives("sluice_batch_try_fill", others[i].want, others[i].name, sluice_batch_try_fill(&batch, 0, &error), __LINE__);
    CHECK(memcmp(rows, row, sizeof row) == 0 && memcmp(rows + WORDS, cold, sizeof cold) == 0);
    gives("sluice_batch_keys", others[i].want, others[i].name, sluice_batch_keys(&batch, keys, &error), __LINE__);
    CHECK(keys[0].low == key.low && keys[0].high == key.high && keys[1].low == 0 && keys[1].high == 0);
    gives("sluice_batch_try_keys", others[i].want, others[i].name, sluice_batch_try_keys(&batch, keys, 0, &error),
          __LINE__);
  }
  GIVES(sluice_batch_fill, SLUICE_E_ARGUMENT, (NULL, &error));
  GIVES(sluice_batch_try_fill, SLUICE_E_ARGUMENT, (NULL, 0, &error));
  GIVES(sluice_batch_keys, SLUICE_E_ARGUMENT, (&batch, NULL, &error));
  GIVES(sluice_batch_try_keys, SLUICE_E_ARGUMENT, (&batch, NULL, 0, &error));

  GIVES(sluice_matcher_state, SLUICE_OK, (t, &state, &error));
  GIVES(sluice_matcher_finished, SLUICE_OK, (t, &state, 0, &error));
  CHECK(state == 0);
  GIVES(sluice_matcher_finished, SLUICE_E_ARGUMENT, (t, NULL, 0, &error));
  GIVES(sluice_matcher_finished, SLUICE_E_HANDLE, (0, &state, 0, &error));
  sluice_matcher whole = new_matcher(compile(small_compiler(), SLUICE_KIND_REGEX, "k[xy]{3}"));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(whole, (const uint8_t *)"kxyx", 4, &error));
  GIVES(sluice_matcher_finished, SLUICE_E_UNFINISHED, (whole, &state, 0, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_finished(whole, &state, UINT32_MAX, &error));
  CHECK(state == 1);
  GIVES(sluice_matcher_state, SLUICE_E_ARGUMENT, (t, NULL, &error));
  GIVES(sluice_matcher_state, SLUICE_E_HANDLE, (0, &state, &error));
  GIVES(sluice_matcher_length, SLUICE_OK, (t, &n, &error));
  GIVES(sluice_matcher_length, SLUICE_E_ARGUMENT, (t, NULL, &error));
  GIVES(sluice_matcher_length, SLUICE_E_HANDLE, (0, &n, &error));
  GIVES(sluice_matcher_forced_bytes, SLUICE_OK, (t, forced, sizeof forced, &n, &error));
  GIVES(sluice_matcher_forced_bytes, SLUICE_E_ARGUMENT, (t, forced, sizeof forced, NULL, &error));
  GIVES(sluice_matcher_forced_bytes, SLUICE_E_HANDLE, (0, forced, sizeof forced, &n, &error));
  GIVES(sluice_matcher_try_forced_bytes, SLUICE_OK, (t, forced, sizeof forced, &n, 0, &error));
  GIVES(sluice_matcher_try_forced_bytes, SLUICE_E_ARGUMENT, (t, forced, sizeof forced, NULL, 0, &error));
  GIVES(sluice_matcher_try_forced_bytes, SLUICE_E_HANDLE, (0, forced, sizeof forced, &n, 0, &error));
}

#include "statuses_busy.h"

int main(void) {
  vocabulary = small_vocabulary();
  compiler = small_compiler();
  grammar = compile(compiler, SLUICE_KIND_REGEX, "ab+");
  matcher = new_matcher(grammar);
  test_vocabulary_new();
  test_vocabulary_files();
  test_vocabulary_facts();
  test_compiler();
  test_requests();
  test_compile();
  test_grammar();
  test_matcher_objects();
  test_steps();
  test_step_limits();
  test_text_limit();
  test_captures();
  test_output();
  test_ending();
  test_stops();
  test_drafts();
  test_events();
  test_reasoning();
  test_jobs();
  test_full_pipe();
  test_cache();
  test_stats();
  test_saved();
  test_temperature();
  test_masks();
  test_batch_steps();
  test_busy();
  return 0;
}
