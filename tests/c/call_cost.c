/* The cost of a call from C beyond its work. `make lab NAME=calls` runs it, and CTest briefly, so that it keeps working.
 * Prints nanoseconds a call, the best of several rounds. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "support.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* MEASURE prints the best time of one evaluation of call. */
#define MEASURE(name, call)                          \
  do {                                               \
    double best = 1e18;                              \
    for (int round = 0; round < 5; round++) {        \
      double start = now();                          \
      for (long i = 0; i < calls; i++) {             \
        call;                                        \
      }                                              \
      double each = (now() - start) / (double)calls; \
      best = each < best ? each : best;              \
    }                                                \
    printf("%-44s %7.1f ns\n", name, best);          \
  } while (0)

int main(int argc, char **argv) {
  long calls = argc > 1 ? atol(argv[1]) : 2000000;
  sluice_compiler c = small_compiler();
  sluice_grammar g = compile(c, SLUICE_KIND_REGEX, "[a-z]*");
  sluice_matcher m = new_matcher(g);
  uint32_t row[WORDS], state = 0;
  size_t n = 0;
  const int32_t id = 'a';
  MEASURE("sluice_abi_version (no Go)", sluice_abi_version());
  MEASURE("sluice_matcher_accept_token, stale handle", sluice_matcher_accept_token(12345, id));
  MEASURE("sluice_matcher_length", sluice_matcher_length(m, &n, NULL));
  MEASURE("sluice_matcher_state", sluice_matcher_state(m, &state, NULL));
  MEASURE("sluice_matcher_validate, 1 token", sluice_matcher_validate(m, &id, 1, &n, NULL));
  MEASURE("sluice_matcher_accept + rollback, 1 token",
          (sluice_matcher_accept(m, &id, 1, NULL, NULL), sluice_matcher_rollback(m, 1, NULL)));
  MEASURE("sluice_matcher_fill, met before, 10 words",
          CHECK(sluice_matcher_fill(m, row, WORDS, NULL, NULL) == SLUICE_OK));
  return 0;
}
