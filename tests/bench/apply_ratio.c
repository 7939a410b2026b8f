/* Compares sluice_apply of two builds of the library in one process, by turns, so that the load of the machine meets both:
 *
 *   apply_ratio NEW REFERENCE     prints medians and the median ratio; fails if NEW takes more than 5 % longer
 *
 * Both libraries are loaded with dlopen and called with the same logits, 16 rows of 128,256 singles. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 16, VOCABULARY = 128256, WORDS = VOCABULARY / 32, ROUNDS = 401, WARM = 20 };

typedef sluice_status apply_function(const sluice_apply_args *, sluice_error *);

static apply_function *apply_of(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  apply_function *apply = NULL;
  if (library != NULL) {
    *(void **)&apply = dlsym(library, "sluice_apply");
  }
  if (apply == NULL) {
    fprintf(stderr, "apply_ratio: %s\n", dlerror());
    exit(2);
  }
  return apply;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof(*values), ascending);
  return values[ROUNDS / 2];
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: apply_ratio NEW REFERENCE\n");
    return 2;
  }
  apply_function *apply[2] = {apply_of(argv[1]), apply_of(argv[2])};
  float *logits = malloc(sizeof(float) * ROWS * VOCABULARY);
  uint32_t *masks = malloc(sizeof(uint32_t) * ROWS * WORDS);
  if (logits == NULL || masks == NULL) {
    return 2;
  }
  uint64_t seed = 7;
  for (size_t i = 0; i < (size_t)ROWS * WORDS; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    masks[i] = (uint32_t)(seed >> 32);
  }
  for (size_t i = 0; i < (size_t)ROWS * VOCABULARY; i++) {
    logits[i] = (float)i;
  }
  sluice_apply_args args = {.struct_size = sizeof(args),
                            .dtype = SLUICE_DTYPE_F32,
                            .logits = logits,
                            .n_logit_rows = ROWS,
                            .logit_stride = VOCABULARY,
                            .vocab_size = VOCABULARY,
                            .masks = masks,
                            .n_mask_rows = ROWS,
                            .mask_stride = WORDS,
                            .mask_words = WORDS,
                            .n = ROWS};
  static double took[2][ROUNDS], ratio[ROUNDS];
  sluice_error error = {.struct_size = sizeof(error)};
  for (int round = -WARM; round < ROUNDS; round++) {
    for (int turn = 0; turn < 2; turn++) {
      int which = (turn + round) & 1;
      struct timespec begin, end;
      clock_gettime(CLOCK_MONOTONIC, &begin);
      sluice_status status = apply[which](&args, &error);
      clock_gettime(CLOCK_MONOTONIC, &end);
      if (status != SLUICE_OK) {
        fprintf(stderr, "apply_ratio: %s\n", error.message);
        return 2;
      }
      if (round >= 0) {
        took[which][round] = (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
      }
    }
    if (round >= 0) {
      ratio[round] = took[0][round] / took[1][round];
    }
  }
  double r = median(ratio);
  printf("apply: %.2f against %.2f us a row, median ratio %.3f\n", median(took[0]) / ROWS, median(took[1]) / ROWS, r);
  return r <= 1.05 ? 0 : 1;
}
