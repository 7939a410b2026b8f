/* The case files of tests/cases through the C interface: cases.c tests/cases/cases.txt. README.md beside that file
 * explains its lines. The runners of Go and Python read the same cases. */
#include <inttypes.h>

#include "support.h"

enum { MAX_TOKENS = 1024, MAX_WORDS = 64, MAX_IDS = 1 << 16 };

static char *text; /* all of the file */
static size_t size, at;
static char *name; /* the case at hand */
static int cases, failures;

static sluice_compiler compiler;
static uint32_t n_tokens, words, ends[8];
static size_t n_ends;
static uint32_t row[MAX_WORDS];

/* fail prints an error about the present case. */
static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", name, what);
  failures++;
}

/* next_line returns the next line, NULL at the end; its newline becomes its NUL. */
static char *next_line(void) {
  if (at >= size) {
    return NULL;
  }
  char *line = text + at, *end = memchr(line, '\n', size - at);
  CHECK(end != NULL);
  *end = 0;
  at = (size_t)(end - text) + 1;
  return line;
}

/* next_block returns the length bytes of the next lines, and steps over the newline behind them. */
static const char *next_block(size_t length) {
  CHECK(length < size - at && text[at + length] == '\n');
  const char *block = text + at;
  at += length + 1;
  return block;
}

/* after returns the rest of a line that starts with a word, NULL if it starts otherwise. */
static char *after(char *line, const char *word) {
  size_t n = strlen(word);
  return strncmp(line, word, n) != 0 || (line[n] != ' ' && line[n] != 0) ? NULL : line + n + (line[n] == ' ');
}

/* read_ids reads "N ID ID …". */
static size_t read_ids(char *list, int32_t *ids) {
  size_t n = strtoul(list, &list, 10);
  CHECK(n <= MAX_IDS);
  for (size_t i = 0; i < n; i++) {
    ids[i] = (int32_t)strtol(list, &list, 10);
  }
  return n;
}

static void read_vocabulary(size_t n) {
  static uint8_t bytes[1 << 16], flags[MAX_TOKENS];
  static uint64_t offsets[MAX_TOKENS + 1];
  size_t used = 0;
  CHECK(n <= MAX_TOKENS);
  for (size_t id = 0; id < n; id++) {
    unsigned flag = 0;
    size_t length = 0;
    CHECK(sscanf(next_line(), "token %u %zu", &flag, &length) == 2 && used + length <= sizeof bytes);
    memcpy(bytes + used, next_block(length), length);
    used += length;
    offsets[id + 1] = used;
    flags[id] = (uint8_t)flag;
    if (flag & SLUICE_TOKEN_END) {
      CHECK(n_ends < 8);
      ends[n_ends++] = (uint32_t)id;
    }
  }
  n_tokens = (uint32_t)n;
  words = (n_tokens + 31) / 32;
  CHECK(words <= MAX_WORDS);
  sluice_vocabulary_config config = {.struct_size = sizeof config,
                                     .n_tokens = n_tokens,
                                     .bytes = bytes,
                                     .offsets = offsets,
                                     .flags = flags,
                                     .end_tokens = ends,
                                     .n_end_tokens = n_ends};
  sluice_vocabulary v = 0;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_new(&config, &v, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(v, NULL, 0, &compiler, &error));
}

/* ended tells whether the end tokens are allowed. All are, or none is. */
static int ended(sluice_matcher m) {
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, words, NULL, &error));
  int yes = allowed(row, ends[0]);
  for (size_t i = 1; i < n_ends; i++) {
    if (allowed(row, ends[i]) != yes) {
      fail("some end tokens are allowed and some are not");
    }
  }
  return yes;
}

/* goes_through feeds an output token by token; each token's bit must say beforehand what becomes of it. */
static int goes_through(sluice_matcher m, const int32_t *ids, size_t n) {
  for (size_t i = 0; i < n; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, words, NULL, &error));
    int bit = allowed(row, (uint32_t)ids[i]);
    sluice_status s = sluice_matcher_accept_token(m, ids[i]);
    if ((s == SLUICE_OK) != bit || (s != SLUICE_OK && s != SLUICE_E_REJECTED)) {
      fprintf(stderr, "%s: token %" PRId32 " at %zu: its bit is %d, accept says %s\n", name, ids[i], i, bit,
              sluice_status_name(s));
      failures++;
    }
    if (s != SLUICE_OK) {
      return 0;
    }
  }
  return ended(m);
}

/* check_output handles "accept N ID…" and "reject N ID…". */
static void check_output(sluice_grammar g, char *list, int want) {
  static int32_t ids[MAX_IDS];
  size_t n = read_ids(list, ids);
  sluice_matcher m = new_matcher(g);
  if (goes_through(m, ids, n) != want) {
    fprintf(stderr, "%s: an output of %zu tokens (first %" PRId32 ") should be %s\n", name, n, n ? ids[0] : -1,
            want ? "accepted" : "rejected");
    failures++;
  }
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
}

/* One case as it is read: what to compile, and what should become of that. */
typedef struct {
  uint32_t kind;
  const char *spec, *options;
  size_t spec_length, options_length;
  int want; /* the status that is expected */
} one_case;

static sluice_grammar start_case(const one_case *c) {
  sluice_grammar g = 0;
  sluice_status s =
      sluice_grammar_compile(compiler, c->kind, c->spec, c->spec_length, c->options, c->options_length, &g, &error);
  if (s != c->want) {
    fprintf(stderr, "%s: compiling gives %s, want %s (%s)\n", name, sluice_status_name(s), sluice_status_name(c->want),
            s == SLUICE_OK ? "" : error.message);
    failures++;
  }
  return s == SLUICE_OK && c->want == SLUICE_OK ? g : 0;
}

/* next_blob returns the bytes of the next lines, which begin with a word. */
static const char *next_blob(const char *word, size_t *length) {
  char *rest = after(next_line(), word);
  CHECK(rest != NULL);
  *length = strtoul(rest, NULL, 10);
  return next_block(*length);
}

/* check_captures compares the captures with the n names and texts of the next lines. */
static void check_captures(sluice_matcher m, size_t n) {
  static sluice_capture captures[64];
  static uint8_t bytes[1 << 12];
  size_t got = 0, length = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_captures(m, captures, 64, &got, bytes, sizeof bytes, &length, &error));
  CHECK(got <= 64 && length <= sizeof bytes);
  if (got != n) {
    fprintf(stderr, "%s: %zu captures, want %zu\n", name, got, n);
    failures++;
  }
  for (size_t i = 0; i < n; i++) {
    const sluice_capture *c = &captures[i];
    size_t name_length = 0, text_length = 0;
    const char *want = next_blob("name", &name_length), *want_text = next_blob("text", &text_length);
    if (i < got && (c->name_length != name_length || memcmp(bytes + c->name, want, name_length) != 0 ||
                    c->text_length != text_length || memcmp(bytes + c->text, want_text, text_length) != 0)) {
      fprintf(stderr, "%s: capture %zu is %.*s: %.*s\n", name, i, (int)c->name_length, bytes + c->name,
              (int)c->text_length, bytes + c->text);
      failures++;
    }
  }
}

/* check_temperature compares the temperature of the next token with a number, or null. */
static void check_temperature(sluice_matcher m, const char *want) {
  double t = -1;
  uint32_t some = 2;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_temperature(m, &t, &some, &error));
  int none = strcmp(want, "null") == 0;
  if (some != !none || t != (none ? 0 : strtod(want, NULL))) {
    fprintf(stderr, "%s: the temperature is %g (%u), want %s\n", name, t, some, want);
    failures++;
  }
}

/* check_mask handles the lines about one state; it returns 0 for a line that is none of them. */
static int check_mask(sluice_grammar g, sluice_matcher *m, char *line) {
  static int32_t ids[MAX_IDS];
  char *rest;
  if ((rest = after(line, "after")) != NULL) {
    if (*m != 0) {
      CHECK_STATUS(SLUICE_OK, sluice_matcher_free(*m));
    }
    *m = new_matcher(g);
    size_t n = read_ids(rest, ids);
    if (sluice_matcher_accept(*m, ids, n, NULL, &error) != SLUICE_OK) {
      fail("the output before a mask is not accepted");
    }
    uint32_t constrained;
    CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(*m, row, words, &constrained, &error));
    uint32_t id = 0;
    while (id < n_tokens && allowed(row, id)) {
      id++;
    }
    CHECK((id < n_tokens) == constrained);
  } else if ((rest = after(line, "allowed")) != NULL) {
    if (!allowed(row, (uint32_t)atoi(rest))) {
      fprintf(stderr, "%s: token %s should be allowed\n", name, rest);
      failures++;
    }
  } else if ((rest = after(line, "denied")) != NULL) {
    if (allowed(row, (uint32_t)atoi(rest))) {
      fprintf(stderr, "%s: token %s should be denied\n", name, rest);
      failures++;
    }
  } else if ((rest = after(line, "end")) != NULL) {
    if (ended(*m) != atoi(rest)) {
      fail(atoi(rest) ? "the output may end here" : "the output may not end here");
    }
  } else if ((rest = after(line, "captures")) != NULL) {
    check_captures(*m, strtoul(rest, NULL, 10));
  } else if ((rest = after(line, "temperature")) != NULL) {
    check_temperature(*m, rest);
  } else {
    return 0;
  }
  return 1;
}

/* run_case reads one case, whose first line was read, and runs it. A grammar is compiled at the first line that asks it
 * something; a compilation that failed, wanted or not, leaves such lines out. */
static void run_case(void) {
  one_case c = {0};
  sluice_grammar g = 0;
  sluice_matcher m = 0;
  int started = 0;
  char *line, *rest;
  for (line = next_line(); line != NULL && strcmp(line, "done") != 0; line = next_line()) {
    if ((rest = after(line, "kind")) != NULL) {
      c.kind = (uint32_t)atoi(rest);
    } else if ((rest = after(line, "spec")) != NULL) {
      c.spec_length = strtoul(rest, NULL, 10);
      c.spec = next_block(c.spec_length);
    } else if ((rest = after(line, "options")) != NULL) {
      c.options_length = strtoul(rest, NULL, 10);
      c.options = next_block(c.options_length);
    } else if ((rest = after(line, "error")) != NULL) {
      c.want = atoi(rest);
      g = start_case(&c);
      started = 1;
    } else if ((rest = after(line, "pointer")) != NULL) {
      size_t length = strtoul(rest, NULL, 10);
      const char *pointer = next_block(length);
      if (!error.has_pointer || error.pointer_length != length ||
          memcmp(error.pointer, pointer, length < 511 ? length : 511) != 0) {
        fprintf(stderr, "%s: the error is at %s, want %.*s\n", name, error.has_pointer ? error.pointer : "no pointer",
                (int)length, pointer);
        failures++;
      }
    } else if ((rest = after(line, "place")) != NULL) {
      unsigned at_line = 0, column = 0;
      CHECK(sscanf(rest, "%u %u", &at_line, &column) == 2);
      if (error.line != at_line || (column != 0 && error.column != column)) { /* column 0: not fixed */
        fprintf(stderr, "%s: the error is at %u:%u, want %s\n", name, (unsigned)error.line, (unsigned)error.column,
                rest);
        failures++;
      }
    } else {
      if (!started) {
        g = start_case(&c);
        started = 1;
      }
      if (g == 0) {
        continue;
      }
      if ((rest = after(line, "accept")) != NULL) {
        check_output(g, rest, 1);
      } else if ((rest = after(line, "reject")) != NULL) {
        check_output(g, rest, 0);
      } else if (!check_mask(g, &m, line)) {
        fprintf(stderr, "%s: a line that is not understood: %s\n", name, line);
        exit(1);
      }
    }
  }
  if (!started) {
    g = start_case(&c);
  }
  if (m != 0) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
  }
  if (g != 0) {
    CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  }
  cases++;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  FILE *f = fopen(argv[1], "rb");
  CHECK(f != NULL && fseek(f, 0, SEEK_END) == 0);
  size = (size_t)ftell(f);
  text = malloc(size + 1);
  CHECK(text != NULL && fseek(f, 0, SEEK_SET) == 0 && fread(text, 1, size, f) == size);
  fclose(f);
  for (char *line = next_line(); line != NULL; line = next_line()) {
    char *rest;
    if ((rest = after(line, "vocabulary")) != NULL) {
      read_vocabulary(strtoul(rest, NULL, 10));
    } else {
      name = after(line, "case");
      CHECK(name != NULL);
      run_case();
    }
  }
  free(text);
  printf("%d cases, %d failures\n", cases, failures);
  return failures != 0 || cases == 0;
}
