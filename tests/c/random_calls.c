/* Random calls at the C boundary: live, stale and foreign handles, valid and broken arguments, in any order, against a model
 * that knows of every handle whether it lives and of every matcher how long it is. Nothing may crash or hang, and no call
 * may touch memory beyond its parameters.
 *
 *   random_calls [SEED [CALLS]]      the seed of a failure is printed with it */
#include "support.h"

enum { SLOTS = 24, GUARD = 4 };

static uint64_t rng;
static uint64_t seed;

/* The model of one matcher slot. */
typedef struct {
  sluice_matcher handle;
  int alive;
  size_t length;
} slot;

static slot slots[SLOTS];
static sluice_compiler compiler;
static sluice_grammar grammars[4];

static size_t below(size_t n) { return (size_t)(next_random(&rng) % n); }

/* EXPECT is CHECK with the seed. */
#define EXPECT(condition)                                       \
  do {                                                          \
    if (!(condition)) {                                         \
      fprintf(stderr, "seed %llu: ", (unsigned long long)seed); \
      CHECK(condition);                                         \
    }                                                           \
  } while (0)

/* expected_alive checks a status of a call on a slot: a dead handle is always refused, a live one never for its handle. */
static int expected_alive(const slot *s, sluice_status status) {
  EXPECT((status == SLUICE_E_HANDLE) == !s->alive);
  return s->alive;
}

static void renew(slot *s) {
  if (s->alive) {
    EXPECT(sluice_matcher_free(s->handle) == SLUICE_OK);
  }
  s->alive = sluice_matcher_new(grammars[below(4)], NULL, &s->handle, &error) == SLUICE_OK;
  s->length = 0;
  EXPECT(s->alive);
}

static void accept_some(slot *s) {
  int32_t ids[6];
  size_t n = below(7), accepted = 99, valid = 99;
  for (size_t i = 0; i < n; i++) {
    ids[i] = below(8) == 0 ? (int32_t)next_random(&rng) : (int32_t)below(N_TOKENS);
  }
  sluice_status v = sluice_matcher_validate(s->handle, ids, n, &valid, &error);
  sluice_status a = sluice_matcher_accept(s->handle, ids, n, &accepted, &error);
  EXPECT(v == a);
  if (expected_alive(s, a)) {
    EXPECT(a == SLUICE_OK || a == SLUICE_E_REJECTED);
    EXPECT(accepted == valid && (accepted == n) == (a == SLUICE_OK));
    s->length += accepted;
  }
}

static void accept_text(slot *s) {
  uint8_t bytes[9];
  size_t n = below(sizeof bytes);
  for (size_t i = 0; i < n; i++) {
    bytes[i] = (uint8_t)"a0{}[]\", :\xc3\xa9\xff"[below(13)];
  }
  size_t before = s->length;
  sluice_status a = sluice_matcher_accept_bytes(s->handle, bytes, n, &error);
  if (expected_alive(s, a)) {
    EXPECT(a == SLUICE_OK || a == SLUICE_E_REJECTED);
    EXPECT(sluice_matcher_length(s->handle, &s->length, &error) == SLUICE_OK);
    EXPECT(a == SLUICE_OK ? s->length - before <= 1 : s->length == before);
  }
}

/* fill checks every bit of one word against validate, and the memory around the row. */
static void fill(slot *s) {
  uint32_t memory[WORDS + 2 * GUARD], *row = memory + GUARD;
  memset(memory, 0x5A, sizeof memory);
  sluice_status f = sluice_matcher_fill(s->handle, row, WORDS, NULL, &error);
  for (int i = 0; i < GUARD; i++) {
    EXPECT(memory[i] == 0x5A5A5A5Au && row[WORDS + i] == 0x5A5A5A5Au);
  }
  if (expected_alive(s, f)) {
    uint32_t state = 0;
    EXPECT(f == SLUICE_OK && sluice_matcher_state(s->handle, &state, &error) == SLUICE_OK);
    if (state & SLUICE_STATE_TERMINATED) {
      return; /* tokens accepted now are ignored, and differ from the row */
    }
    for (size_t i = 0, word = below(WORDS); i < 32; i++) {
      int32_t id = (int32_t)(word * 32 + i);
      EXPECT((sluice_matcher_validate(s->handle, &id, 1, NULL, &error) == SLUICE_OK) == allowed(row, (uint32_t)id));
    }
  }
}

static void follow(slot *s) {
  uint32_t row[WORDS];
  for (size_t n = below(12); s->alive && n > 0; n--) {
    EXPECT(sluice_matcher_fill(s->handle, row, WORDS, NULL, &error) == SLUICE_OK);
    int32_t id = choose(row, &rng);
    EXPECT(id >= 0 && sluice_matcher_accept_token(s->handle, id) == SLUICE_OK);
    s->length++;
  }
}

static void rollback(slot *s) {
  size_t n = below(s->length + 3), length = 0;
  sluice_status r = sluice_matcher_rollback(s->handle, n, &error);
  if (expected_alive(s, r)) {
    EXPECT(r == (n <= s->length ? SLUICE_OK : SLUICE_E_ARGUMENT));
    s->length -= r == SLUICE_OK ? n : 0;
    EXPECT(sluice_matcher_length(s->handle, &length, &error) == SLUICE_OK && length == s->length);
  }
}

static void fork_into(slot *s) {
  slot *to = &slots[below(SLOTS)];
  sluice_matcher copy = 0;
  sluice_status f = sluice_matcher_fork(s->handle, &copy, &error);
  if (expected_alive(s, f) && to != s) {
    if (to->alive) {
      EXPECT(sluice_matcher_free(to->handle) == SLUICE_OK);
    }
    *to = (slot){copy, 1, s->length};
  } else if (f == SLUICE_OK) {
    EXPECT(sluice_matcher_free(copy) == SLUICE_OK);
  }
}

static void free_slot(slot *s) {
  sluice_status f = sluice_matcher_free(s->handle);
  expected_alive(s, f);
  s->alive = 0; /* the handle stays, stale */
}

static void reset(slot *s) {
  if (expected_alive(s, sluice_matcher_reset(s->handle, &error))) {
    s->length = 0;
  }
}

/* nonsense calls with invalid parameters. */
static void nonsense(slot *s) {
  uint64_t wild = below(2) ? next_random(&rng) : s->handle ^ (UINT64_C(1) << below(64));
  size_t n = 0;
  uint32_t state;
  uint8_t buffer[4];
  sluice_vocabulary v = 0;
  sluice_grammar g = 0;
  for (int i = 0; i < SLOTS; i++) {
    if (slots[i].handle == wild) {
      return;
    }
  }
  EXPECT(sluice_matcher_free(wild) == SLUICE_E_HANDLE);
  EXPECT(sluice_matcher_forced_bytes(wild, buffer, 4, &n, &error) == SLUICE_E_HANDLE);
  double t;
  uint32_t some;
  EXPECT(sluice_matcher_temperature(wild, &t, &some, &error) == SLUICE_E_HANDLE);
  EXPECT(sluice_matcher_captures(wild, NULL, 0, &n, buffer, 4, &n, &error) == SLUICE_E_HANDLE);
  EXPECT(sluice_matcher_events(wild, 0, NULL, 0, &n, buffer, 4, &n, &error) == SLUICE_E_HANDLE);
  EXPECT(sluice_matcher_state(s->handle, NULL, &error) != SLUICE_OK);
  expected_alive(s, sluice_matcher_state(s->handle, &state, &error));
  EXPECT(sluice_grammar_compile(s->handle, (uint32_t)below(12), NULL, 0, NULL, 0, &g, &error) == SLUICE_E_HANDLE);
  EXPECT(sluice_vocabulary_from_data((uint32_t)below(6), (const uint8_t *)"{\"model\": 1}", below(12), NULL, &v,
                                     &error) != SLUICE_OK);
  char spec[24];
  for (n = 0; n < sizeof spec; n++) {
    spec[n] = "a{}[]\"()*+?|\\:=01,.^$\n\0x"[below(24)];
  }
  uint32_t kind = 1 + (uint32_t)below(8);
  size_t length = below(sizeof spec);
  sluice_status status = sluice_grammar_compile(compiler, kind, spec, length, NULL, 0, &g, &error);
  if (status == SLUICE_OK) {
    EXPECT(sluice_grammar_free(g) == SLUICE_OK);
  } else if (status == SLUICE_E_INTERNAL || error.code != status || error.message_length == 0) {
    fprintf(stderr, "seed %llu: kind %u, spec %.*s: %s\n", (unsigned long long)seed, (unsigned)kind, (int)length, spec,
            error.message);
    exit(1);
  }
}

static void (*const actions[])(slot *) = {renew,  accept_some, accept_some, accept_text, fill,  fill,    follow,
                                          follow, rollback,    fork_into,   free_slot,   reset, nonsense};

int main(int argc, char **argv) {
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long calls = argc > 2 ? atol(argv[2]) : 30000;
  rng = seed * 2654435769u + 1;
  compiler = small_compiler();
  grammars[0] = compile(compiler, SLUICE_KIND_ANY_JSON, "");
  grammars[1] = compile(compiler, SLUICE_KIND_REGEX, "(a|the )*0{3,70}.*");
  grammars[2] =
      compile(compiler, SLUICE_KIND_EBNF, "root ::= root \",\" item | item\nitem ::= \"[\" root? \"]\" | [^,\\]\\[]\n");
  grammars[3] = compile(compiler, SLUICE_KIND_CHOICE, "[\"a\",\"aa\",\"{\\\"name\\\": 12}\"]");
  for (int i = 0; i < SLOTS; i++) {
    renew(&slots[i]);
  }
  for (long i = 0; i < calls; i++) {
    actions[below(sizeof actions / sizeof actions[0])](&slots[below(SLOTS)]);
  }
  printf("%ld random calls, seed %llu\n", calls, (unsigned long long)seed);
  return 0;
}
