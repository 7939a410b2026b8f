/* support.h: the common code of the C tests: checks that print their place, and a vocabulary small enough to print.
 *
 * Every program here is one file with a main, uses sluice.h alone, and returns 0 if all of its checks held. */
#ifndef SLUICE_TESTS_SUPPORT_H
#define SLUICE_TESTS_SUPPORT_H

#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CHECK ends the program with the place and the text of a condition that does not hold. */
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

/* CHECK_STATUS ends the program if a call does not return the status wanted, and shows the error. */
#define CHECK_STATUS(want, call) check_status((want), (call), &error, #call, __FILE__, __LINE__)

/* The error struct that CHECK_STATUS shows; every test passes &error. */
static sluice_error error = {.struct_size = sizeof(sluice_error)};

static inline void check_status(sluice_status want, sluice_status got, const sluice_error *e, const char *call,
                                const char *file, int line) {
  if (want != got) {
    fprintf(stderr, "%s:%d: %s returned %s, want %s\n  last error: %s\n", file, line, call, sluice_status_name(got),
            sluice_status_name(want), e->message);
    exit(1);
  }
}

/* The small vocabulary: ids 0 to 255 are the bytes, then some longer tokens, then the end token. */
static const char *const long_tokens[] = {"\"name\"", "\"age\"", "\": ", "\":", "{\"", "\"}",     ", ",
                                          "ab",       "abc",     "the ", "12",  "00",  "\xc3\xa9"};
enum {
  N_LONG = sizeof(long_tokens) / sizeof(long_tokens[0]),
  END_TOKEN = 256 + N_LONG,
  N_TOKENS = END_TOKEN + 1,
  PADDED = 320,
  WORDS = PADDED / 32
};

/* small_vocabulary makes it. */
static inline sluice_vocabulary small_vocabulary(void) {
  static uint8_t bytes[1024];
  static uint64_t offsets[N_TOKENS + 1];
  static uint8_t flags[N_TOKENS];
  static const uint32_t end = END_TOKEN;
  size_t used = 0;
  for (uint32_t id = 0; id < N_TOKENS; id++) {
    offsets[id] = used;
    if (id < 256) {
      bytes[used++] = (uint8_t)id;
    } else {
      const char *text = id == END_TOKEN ? "</s>" : long_tokens[id - 256];
      memcpy(bytes + used, text, strlen(text));
      used += strlen(text);
    }
  }
  offsets[N_TOKENS] = used;
  flags[END_TOKEN] = SLUICE_TOKEN_SPECIAL;
  sluice_vocabulary_config config = {.struct_size = sizeof config,
                                     .n_tokens = N_TOKENS,
                                     .bytes = bytes,
                                     .offsets = offsets,
                                     .flags = flags,
                                     .end_tokens = &end,
                                     .n_end_tokens = 1,
                                     .padded_size = PADDED};
  sluice_vocabulary v = 0;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_new(&config, &v, &error));
  return v;
}

/* small_compiler makes a compiler for it; the vocabulary lives on inside. Nothing is found before it is asked for, so
 * that tests know what calls that never wait have to do without. */
static inline sluice_compiler small_compiler(void) {
  static const char cold[] = "{\"warm_bytes\": 0}";
  sluice_vocabulary v = small_vocabulary();
  sluice_compiler c = 0;
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(v, cold, sizeof cold - 1, &c, &error));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(v));
  return c;
}

/* compile compiles text that ends with NUL. */
static inline sluice_grammar compile(sluice_compiler c, uint32_t kind, const char *spec) {
  sluice_grammar g = 0;
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(c, kind, spec, strlen(spec), NULL, 0, &g, &error));
  return g;
}

/* new_matcher makes a matcher with the default options. */
static inline sluice_matcher new_matcher(sluice_grammar g) {
  sluice_matcher m = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_new(g, NULL, &m, &error));
  return m;
}

/* allowed tells whether a token is in a row. */
static inline int allowed(const uint32_t *row, uint32_t id) { return (int)(row[id / 32] >> (id % 32) & 1); }

/* next_random is xorshift64*: the tests choose tokens with it, the same on every machine. */
static inline uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

/* choose picks one of the tokens of a row, END_TOKEN sooner or later, and returns -1 for an empty row. */
static inline int32_t choose(const uint32_t *row, uint64_t *state) {
  int32_t candidates[N_TOKENS];
  size_t n = 0;
  for (uint32_t id = 0; id < N_TOKENS; id++) {
    if (allowed(row, id)) {
      candidates[n++] = (int32_t)id;
    }
  }
  return n == 0 ? -1 : candidates[next_random(state) % n];
}

#endif /* SLUICE_TESTS_SUPPORT_H */
