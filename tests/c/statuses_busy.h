/* statuses_busy.h: a part of statuses.c: calls for a matcher that another thread uses. It uses the objects and functions
 * of that program, which includes it once. */
#ifndef SLUICE_TESTS_STATUSES_BUSY_H
#define SLUICE_TESTS_STATUSES_BUSY_H

/* A matcher that is at work on another thread nearly all the time. */
typedef struct {
  sluice_matcher matcher;
  uint8_t text[100000];
  volatile int stop;
} work;

static void *long_calls(void *of) {
  work *w = of;
  while (!w->stop) {
    (void)sluice_matcher_accept_bytes(w->matcher, w->text, sizeof w->text, NULL);
    (void)sluice_matcher_reset(w->matcher, NULL);
  }
  return NULL;
}

/* BUSY calls until it meets the other thread in the matcher: at once, unless this one has stood still meanwhile. */
#define BUSY(function, arguments)                                       \
  do {                                                                  \
    sluice_status status;                                               \
    do {                                                                \
      status = function arguments;                                      \
    } while (status != SLUICE_E_BUSY);                                  \
    gives(#function, SLUICE_E_BUSY, "SLUICE_E_BUSY", status, __LINE__); \
  } while (0)

static void test_busy(void) {
  static work w;
  for (size_t i = 0; i < sizeof w.text; i++) {
    w.text[i] = i % 2 == 0 ? '(' : '[';
  }
  w.matcher = new_matcher(compile(compiler, SLUICE_KIND_EBNF, "root ::= \"(\" root \")\" | \"[\" root \"]\" | \"x\""));
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, long_calls, &w) == 0);
  const sluice_matcher m = w.matcher;
  const int32_t id[] = {'('};
  sluice_matcher f = 0;
  sluice_mask_key key;
  uint8_t forced[4];
  uint32_t state = 9;
  sluice_stop stop;
  BUSY(sluice_matcher_rollback, (m, 0, &error));
  BUSY(sluice_matcher_fork, (m, &f, &error));
  BUSY(sluice_matcher_reset, (m, &error));
  BUSY(sluice_matcher_accept, (m, id, 1, &n, &error));
  BUSY(sluice_matcher_accept_token, (m, id[0]));
  BUSY(sluice_matcher_accept_bytes, (m, (const uint8_t *)"(", 1, &error));
  BUSY(sluice_matcher_validate, (m, id, 1, &n, &error));
  BUSY(sluice_matcher_fill, (m, row, WORDS, NULL, &error));
  BUSY(sluice_matcher_mask_key, (m, &key, &error));
  BUSY(sluice_matcher_finished, (m, &state, 0, &error));
  BUSY(sluice_matcher_forced_bytes, (m, forced, sizeof forced, &n, &error));
  size_t count;
  double t;
  BUSY(sluice_matcher_temperature, (m, &t, &state, &error));
  BUSY(sluice_matcher_explain, (m, id[0], NULL, 0, &n, &error));
  BUSY(sluice_matcher_explanation, (m, id[0], NULL, 0, NULL, 0, &n, &error));
  BUSY(sluice_matcher_output, (m, NULL, 0, &n, &error));
  BUSY(sluice_matcher_set_max_tokens, (m, 1, &error));
  BUSY(sluice_matcher_min_tokens, (m, &state, &error));
  BUSY(sluice_matcher_set_stop_strings, (m, NULL, NULL, 0, &error));
  BUSY(sluice_matcher_stopped, (m, &stop, &error));
  BUSY(sluice_matcher_events, (m, 0, NULL, 0, &count, NULL, 0, &n, &error));
  BUSY(sluice_matcher_forced_tokens, (m, NULL, 0, &n, 0, &error));
  BUSY(sluice_matcher_drafts, (m, NULL, 0, &n, 0, &error));
  BUSY(sluice_matcher_captures, (m, NULL, 0, &count, NULL, 0, &n, &error));
  BUSY(sluice_matcher_try_accept, (m, id, 1, &n, 0, &error));
  BUSY(sluice_matcher_try_accept_token, (m, id[0]));
  BUSY(sluice_matcher_try_accept_bytes, (m, (const uint8_t *)"(", 1, 0, &error));
  BUSY(sluice_matcher_try_validate, (m, id, 1, &n, 0, &error));
  BUSY(sluice_matcher_try_fill, (m, row, WORDS, NULL));
  BUSY(sluice_matcher_try_forced_bytes, (m, forced, sizeof forced, &n, 0, &error));
  for (int i = 0; i < 1000; i++) { /* these never are */
    CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
    CHECK_STATUS(SLUICE_OK, sluice_matcher_length(m, &n, &error));
    CHECK(state == 0 && n <= 3);
  }
  w.stop = 1;
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_reset(m, &error));
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, id, 1, &n, &error));
}

#endif
