/* Many threads: each with its own matchers of shared grammars gets the rows that one thread alone gets; batches give the
 * rows that single calls give; two threads on one matcher are refused and not confused; freeing during a call is safe. */
#include <pthread.h>
#include <stdatomic.h>

#include "support.h"

enum { THREADS = 8, SEQUENCES = 40, STEPS = 60, BATCH = 200 };

static sluice_grammar grammars[3];

/* digest mixes a row into a number. */
static uint64_t digest(uint64_t h, const uint32_t *row) {
  for (int i = 0; i < WORDS; i++) {
    h = (h ^ row[i]) * UINT64_C(0x100000001b3);
  }
  return h;
}

/* run_sequence generates one sequence and returns the digest of all its rows. It reports errors by its own struct: the
 * one in support.h belongs to the main thread. */
static uint64_t run_sequence(int number) {
  sluice_error mine = {.struct_size = sizeof mine};
  sluice_matcher m = 0;
  uint64_t seed = (uint64_t)number * 104729 + 1, h = 14695981039346656037u;
  uint32_t row[WORDS];
  CHECK(sluice_matcher_new(grammars[number % 3], NULL, &m, &mine) == SLUICE_OK);
  for (int step = 0; step < STEPS; step++) {
    CHECK(sluice_matcher_fill(m, row, WORDS, NULL, &mine) == SLUICE_OK);
    h = digest(h, row);
    int32_t id = choose(row, &seed);
    CHECK(sluice_matcher_accept(m, &id, 1, NULL, &mine) == SLUICE_OK);
    if (step % 7 == 6) {
      CHECK(sluice_matcher_rollback(m, 3, &mine) == SLUICE_OK);
    }
  }
  CHECK(sluice_matcher_free(m) == SLUICE_OK);
  return h;
}

static uint64_t serial[SEQUENCES];

static void *sequences(void *from) {
  for (int i = 0; i < SEQUENCES; i++) {
    int number = (i + (int)(intptr_t)from * 5) % SEQUENCES; /* each thread in another order */
    CHECK(run_sequence(number) == serial[number]);
  }
  return NULL;
}

static void run_threads(void *(*body)(void *), int n) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < n; i++) {
    CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
  }
  for (int i = 0; i < n; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

static void test_batch_equals_singles(void) {
  static sluice_matcher m[BATCH];
  static uint32_t masks[BATCH][WORDS], row[WORDS];
  static sluice_status statuses[BATCH];
  uint64_t seed = 99;
  sluice_batch batch = {.struct_size = sizeof batch,
                        .n = BATCH,
                        .matchers = m,
                        .masks = masks[0],
                        .n_rows = BATCH,
                        .row_words = WORDS,
                        .words = WORDS,
                        .statuses = statuses};
  for (int i = 0; i < BATCH; i++) {
    m[i] = new_matcher(grammars[i % 3]);
  }
  for (int step = 0; step < 30; step++) {
    batch.threads = (uint32_t)step % 4; /* 0: as many as there are */
    CHECK_STATUS(SLUICE_OK, sluice_batch_fill(&batch, &error));
    for (int i = 0; i < BATCH; i++) {
      CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m[i], row, WORDS, NULL, &error));
      CHECK(statuses[i] == SLUICE_OK && memcmp(row, masks[i], sizeof row) == 0);
      int32_t id = choose(row, &seed);
      CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m[i], &id, 1, NULL, &error));
    }
  }
  for (int i = 0; i < BATCH; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m[i]));
  }
}

static sluice_matcher shared;
static atomic_int busy;

/* Every answer is right or "busy". Each thread takes its tokens back, so the state at the end is the one before. */
static void *contend(void *unused) {
  (void)unused;
  uint32_t row[WORDS];
  for (int i = 0; i < 3000; i++) {
    sluice_status s = sluice_matcher_fill(shared, row, WORDS, NULL, NULL);
    CHECK(s == SLUICE_OK || s == SLUICE_E_BUSY);
    busy += s == SLUICE_E_BUSY;
    s = sluice_matcher_accept_bytes(shared, (const uint8_t *)"a", 1, NULL);
    CHECK(s == SLUICE_OK || s == SLUICE_E_BUSY || s == SLUICE_E_REJECTED);
    while (s == SLUICE_OK && (s = sluice_matcher_rollback(shared, 1, NULL)) == SLUICE_E_BUSY) {
      s = SLUICE_OK;
    }
  }
  return NULL;
}

static void test_contention(void) {
  uint32_t before[WORDS], after[WORDS];
  shared = new_matcher(grammars[1]);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(shared, before, WORDS, NULL, &error));
  run_threads(contend, 4);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(shared, after, WORDS, NULL, &error));
  CHECK(memcmp(before, after, sizeof before) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(shared));
}

static atomic_uint_fast64_t slot;

/* Threads make, use and free matchers through one variable, so that most handles are freed by somebody else. */
static void *exchange(void *unused) {
  (void)unused;
  uint32_t row[WORDS];
  for (int i = 0; i < 2000; i++) {
    sluice_matcher m = 0;
    CHECK(sluice_matcher_new(grammars[0], NULL, &m, NULL) == SLUICE_OK);
    sluice_matcher old = atomic_exchange(&slot, m);
    sluice_status s = sluice_matcher_fill(m, row, WORDS, NULL, NULL);
    CHECK(s == SLUICE_OK || s == SLUICE_E_HANDLE || s == SLUICE_E_BUSY);
    if (old != 0) {
      CHECK(sluice_matcher_free(old) == SLUICE_OK);
      CHECK(sluice_matcher_free(old) == SLUICE_E_HANDLE);
    }
  }
  return NULL;
}

int main(void) {
  sluice_compiler c = small_compiler();
  grammars[0] = compile(c, SLUICE_KIND_ANY_JSON, "");
  grammars[1] = compile(c, SLUICE_KIND_REGEX, "(ab*c?|[a-z ]{0,300})*");
  grammars[2] = compile(c, SLUICE_KIND_EBNF, "root ::= (\"(\" root \")\" | [0-9]+ | \"the \")*\n");
  run_threads(sequences, 0);
  for (int i = 0; i < SEQUENCES; i++) {
    serial[i] = run_sequence(i);
  }
  run_threads(sequences, THREADS);

  /* The same again with nothing computed beforehand: what all threads then build at once. */
  sluice_compiler cold = small_compiler();
  grammars[0] = compile(cold, SLUICE_KIND_ANY_JSON, "");
  grammars[1] = compile(cold, SLUICE_KIND_REGEX, "(ab*c?|[a-z ]{0,300})*");
  grammars[2] = compile(cold, SLUICE_KIND_EBNF, "root ::= (\"(\" root \")\" | [0-9]+ | \"the \")*\n");
  run_threads(sequences, THREADS);

  test_batch_equals_singles();
  test_contention();
  run_threads(exchange, 4);
  printf("%d of 12000 fills met another thread\n", atomic_load(&busy));
  return 0;
}
