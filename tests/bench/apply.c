/* What applying masks costs without Python: every level of sluice_apply against memset and a plain loop of stores, in
 * memory that was allocated and written just before, as logits are. `make lab NAME=apply` builds and runs it; the numbers
 * are GB of logits a second, best of a few.
 *
 *   apply [VOCABULARY [ROWS...]] */
#define _POSIX_C_SOURCE 200809L
#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t seed = 7;

/* chance is true once in a while: p of 2^32 times. */
static int chance(uint64_t p) {
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (seed * UINT64_C(2685821657736338717)) >> 32 < p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One way to treat logits. */
typedef struct way {
  const char *name;
  uint32_t level; /* SLUICE_CPU_*, or one of the two below */
} way;
enum { MEMSET = 100, STORES = 101 };
static const way ways[] = {{"memset", MEMSET},
                           {"stores", STORES},
                           {"generic", SLUICE_CPU_GENERIC},
                           {"avx2", SLUICE_CPU_AVX2},
                           {"avx512", SLUICE_CPU_AVX512},
                           {"neon", SLUICE_CPU_NEON}};

static void stores(uint32_t *at, size_t n) {
  for (size_t i = 0; i < n; i++) {
    at[i] = 0xFF800000u;
  }
}

/* best returns the rate of a way in GB/s, 0 if this machine cannot go it. */
static double best(const way *w, sluice_apply_args a, const void *fresh, size_t bytes) {
  double least = 0;
  int tries = bytes > (8 << 20) ? 9 : 41;
  for (int i = 0; i < tries; i++) {
    a.logits = malloc(bytes);
    if (a.logits == NULL) abort();
    memcpy(a.logits, fresh, bytes);
    a.level = w->level < MEMSET ? w->level : 0;
    double start = now();
    if (w->level == MEMSET) {
      memset(a.logits, 0xFF, bytes);
    } else if (w->level == STORES) {
      stores(a.logits, bytes / 4);
    } else if (sluice_apply(&a, NULL) != SLUICE_OK) {
      free(a.logits);
      return 0;
    }
    double took = now() - start;
    least = i == 0 || took < least ? took : least;
    free(a.logits);
  }
  return (double)bytes / least;
}

/* run prints the lines of one number of rows. */
static void run(size_t vocab, size_t rows) {
  static const char *const kinds[] = {"nothing", "20 allowed",  "100 allowed", "half in runs",
                                      "half",    "all but 1 %", "all"};
  size_t words = (vocab + 31) / 32;
  uint32_t *masks = malloc(rows * words * 4);
  void *fresh = malloc(rows * vocab * 4);
  if (masks == NULL || fresh == NULL) abort();
  memset(fresh, 0x3C, rows * vocab * 4);
  for (uint32_t dtype = SLUICE_DTYPE_F32; dtype <= SLUICE_DTYPE_F16; dtype++) {
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
      const uint64_t p[] = {0,
                            20 * (1ull << 32) / vocab,
                            100 * (1ull << 32) / vocab,
                            1ull << 31,
                            1ull << 31,
                            99 * (1ull << 32) / 100,
                            1ull << 32};
      for (size_t i = 0; i < rows * words; i++) {
        uint32_t word = 0;
        for (size_t b = 0; kind != 3 && b < 32; b++) {
          word |= (uint32_t)chance(p[kind]) << b;
        }
        masks[i] = kind != 3 ? word : i % words % 64 != 0 ? masks[i - 1] : chance(p[kind]) ? UINT32_MAX : 0;
      }
      sluice_apply_args a = {.struct_size = sizeof a,
                             .dtype = dtype,
                             .n_logit_rows = rows,
                             .logit_stride = vocab,
                             .vocab_size = vocab,
                             .masks = masks,
                             .n_mask_rows = rows,
                             .mask_stride = words,
                             .mask_words = words,
                             .n = rows};
      printf("| %zu | %s | %s |", rows, dtype == SLUICE_DTYPE_F32 ? "32" : "16", kinds[kind]);
      for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        double rate = best(&ways[w], a, fresh, rows * vocab * (dtype == SLUICE_DTYPE_F32 ? 4 : 2));
        printf(rate > 0 ? " %.1f |" : " – |", rate);
      }
      printf("\n");
    }
  }
  free(masks);
  free(fresh);
}

int main(int argc, char **argv) {
  size_t vocab = argc > 1 ? strtoul(argv[1], NULL, 10) : 128256;
  printf("| rows | bits | mask |");
  for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
    printf(" %s |", ways[w].name);
  }
  printf("\n|--:|--:|---|--:|--:|--:|--:|--:|--:|\n");
  for (int i = 2; i < argc; i++) {
    run(vocab, strtoul(argv[i], NULL, 10));
  }
  for (size_t rows = 1; argc <= 2 && rows <= 256; rows *= 4) {
    run(vocab, rows);
  }
  return 0;
}
