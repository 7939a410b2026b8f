/* What sluice_apply, sluice_apply_sparse, sluice_apply_dlpack and sluice_mask_filter say to wrong parameters, candidates
 * against a model, the call of a binding with a framework of our own, and calls from many threads and from a forked
 * child. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static float logits[4 * 64];
static uint32_t masks[4][2];
static int32_t rows[4] = {0, 1, 2, 3};

/* good returns arguments that are right: four rows of 64 logits. */
static sluice_apply_args good(void) {
  sluice_apply_args a = {.struct_size = sizeof a,
                         .dtype = SLUICE_DTYPE_F32,
                         .logits = logits,
                         .n_logit_rows = 4,
                         .logit_stride = 64,
                         .vocab_size = 64,
                         .masks = masks[0],
                         .n_mask_rows = 4,
                         .mask_stride = 2,
                         .mask_words = 2,
                         .n = 4};
  return a;
}

/* REFUSED makes a call with one thing wrong and looks for a word in its message. */
#define REFUSED(word, change)                                          \
  do {                                                                 \
    sluice_apply_args a = good();                                      \
    change;                                                            \
    CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_apply(&a, &error));         \
    CHECK(strstr(error.message, word) != NULL);                        \
    CHECK(strncmp(error.message, "sluice_apply: ", 14) == 0);          \
    CHECK(error.message_length == strlen(error.message));              \
    CHECK(sluice_apply(&a, NULL) == SLUICE_E_ARGUMENT && untouched()); \
  } while (0)

/* untouched tells whether no logit has been written: all of them are 1 and all masks deny everything. */
static int untouched(void) {
  for (size_t i = 0; i < 4 * 64; i++) {
    if (logits[i] != 1) {
      return 0;
    }
  }
  return 1;
}

static void reset(void) {
  memset(masks, 0, sizeof masks);
  for (size_t i = 0; i < 4 * 64; i++) {
    logits[i] = 1;
  }
}

static void test_refusals(void) {
  int32_t wrong[4] = {0, 1, 2, 4};
  void *pointers[4] = {logits, logits + 64, (char *)logits + 2, NULL};
  const uint32_t *mask_pointers[4] = {masks[0], NULL, masks[2], (const uint32_t *)(const void *)((char *)masks[3] + 1)};
  const size_t huge = SIZE_MAX / 2;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_apply(NULL, &error));
  REFUSED("struct_size", a.struct_size = 8);
  REFUSED("struct_size", a.struct_size = 1 << 20);
  REFUSED("struct_size", a.struct_size = sizeof a + 4);
  REFUSED("dtype", a.dtype = 0);
  REFUSED("dtype", a.dtype = 4);
  REFUSED("flags", a.flags = 4);
  REFUSED("level", a.level = 9);
  REFUSED("reserved", a.reserved = 1);
  REFUSED("logits is NULL", a.logits = NULL);
  REFUSED("masks is NULL", a.masks = NULL);
  REFUSED("multiple of 4", a.logits = (char *)logits + 2);
  REFUSED("multiple of 4", a.masks = (const uint32_t *)(const void *)((char *)masks + 2));
  REFUSED("multiple of 4", a.logit_index = (const int32_t *)(const void *)((char *)rows + 1));
  REFUSED("multiple of 4", a.token_map = (const int32_t *)(const void *)((char *)rows + 1));
  REFUSED("both given", a.logit_rows = pointers);
  REFUSED("both given", a.mask_rows = mask_pointers);
  REFUSED("logit_rows[2]", (a.logits = NULL, a.logit_rows = pointers));
  REFUSED("mask_rows[3]", (a.masks = NULL, a.mask_rows = mask_pointers));
  REFUSED("overlap", a.logit_stride = 63);
  REFUSED("overlap", a.mask_stride = 1);
  REFUSED("memory", a.logit_stride = huge);
  REFUSED("memory", (a.n_logit_rows = huge, a.n = 1));
  REFUSED("memory", a.mask_stride = huge);
  REFUSED("memory", (a.n_mask_rows = SIZE_MAX, a.n = 1));
  REFUSED("memory", (a.n = huge, a.logit_index = rows, a.mask_index = rows));
  REFUSED("token ids end", (a.vocab_size = a.logit_stride = (size_t)1 << 32));
  REFUSED("token ids end", (a.mask_words = a.mask_stride = (size_t)1 << 28));
  REFUSED("covered", a.covered = 65);
  REFUSED("logit_index", a.n = 5);
  REFUSED("mask_index", (a.n_mask_rows = 3, a.logit_index = rows));
  REFUSED("logit_index[3] is 4", a.logit_index = wrong);
  REFUSED("mask_index[3] is 4", a.mask_index = wrong);
  wrong[3] = -1;
  REFUSED("logit_index[3] is -1", a.logit_index = wrong);
  wrong[3] = -2;
  REFUSED("mask_index[3] is -2", a.mask_index = wrong);

  struct {
    sluice_apply_args args;
    uint32_t more[2];
  } newer = {good(), {0, 1}};
  newer.args.struct_size = sizeof newer;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_apply(&newer.args, &error));
  newer.more[1] = 0;
  newer.args.n = 0;
  CHECK_STATUS(SLUICE_OK, sluice_apply(&newer.args, &error));
  sluice_apply_args nothing = {.struct_size = sizeof nothing, .dtype = SLUICE_DTYPE_F16};
  CHECK_STATUS(SLUICE_OK, sluice_apply(&nothing, &error));
  CHECK(untouched());
}

/* candidate looks like llama.cpp's llama_token_data. */
typedef struct candidate {
  int32_t id;
  float logit;
  float p;
} candidate;

static void test_sparse(void) {
  enum { N = 1000 };
  uint64_t seed = 5;
  uint32_t mask[8];
  candidate all[N];
  int32_t ids[N];
  uint16_t halves[N];
  for (size_t i = 0; i < 8; i++) {
    mask[i] = (uint32_t)next_random(&seed);
  }
  for (size_t i = 0; i < N; i++) {
    ids[i] = (int32_t)(next_random(&seed) % 400) - 50;
    all[i] = (candidate){ids[i], (float)i, 0.5f};
    halves[i] = (uint16_t)i;
  }
  for (uint32_t flags = 0; flags <= SLUICE_APPLY_KEEP_BEYOND; flags++) {
    for (size_t covered = 0; covered <= 256; covered += 85) {
      candidate some[N];
      uint16_t other[N];
      memcpy(some, all, sizeof all);
      memcpy(other, halves, sizeof halves);
      size_t kept = 0, want = 0, kept16 = 0;
      sluice_sparse_args a = {.struct_size = sizeof a,
                              .dtype = SLUICE_DTYPE_F32,
                              .flags = flags,
                              .ids = &some[0].id,
                              .id_step = sizeof some[0],
                              .logits = &some[0].logit,
                              .logit_step = sizeof some[0],
                              .n = N,
                              .mask = mask,
                              .mask_words = 8,
                              .covered = covered};
      CHECK_STATUS(SLUICE_OK, sluice_apply_sparse(&a, &kept, &error));
      a.dtype = SLUICE_DTYPE_BF16;
      a.ids = ids;
      a.id_step = sizeof ids[0];
      a.logits = other;
      a.logit_step = sizeof other[0];
      CHECK_STATUS(SLUICE_OK, sluice_apply_sparse(&a, &kept16, &error));
      for (size_t i = 0; i < N; i++) {
        int inside = ids[i] >= 0 && (size_t)ids[i] < (covered != 0 ? covered : 256);
        int stays = inside ? allowed(mask, (uint32_t)ids[i]) : flags != 0;
        want += stays != 0;
        CHECK(some[i].logit == (stays ? (float)i : -INFINITY) && some[i].id == ids[i] && some[i].p == 0.5f);
        CHECK(other[i] == (stays ? (uint16_t)i : 0xFF80));
      }
      CHECK(kept == want && kept16 == want);
    }
  }
}

/* REFUSED_SPARSE is REFUSED for candidates. */
#define REFUSED_SPARSE(word, change)                                        \
  do {                                                                      \
    sluice_sparse_args a = {.struct_size = sizeof a,                        \
                            .dtype = SLUICE_DTYPE_F32,                      \
                            .ids = rows,                                    \
                            .id_step = 4,                                   \
                            .logits = logits,                               \
                            .logit_step = 4,                                \
                            .n = 4,                                         \
                            .mask = masks[0],                               \
                            .mask_words = 2};                               \
    change;                                                                 \
    CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_apply_sparse(&a, NULL, &error)); \
    CHECK(strstr(error.message, word) != NULL && untouched());              \
  } while (0)

static void test_sparse_refusals(void) {
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_apply_sparse(NULL, NULL, &error));
  REFUSED_SPARSE("struct_size", a.struct_size = 0);
  REFUSED_SPARSE("dtype", a.dtype = 7);
  REFUSED_SPARSE("flags", a.flags = SLUICE_APPLY_MAP_OFFSETS);
  REFUSED_SPARSE("ids", a.ids = NULL);
  REFUSED_SPARSE("logits", a.logits = NULL);
  REFUSED_SPARSE("aligned", a.id_step = 6);
  REFUSED_SPARSE("aligned", a.logits = (char *)logits + 1);
  REFUSED_SPARSE("overlap", a.logit_step = 0);
  REFUSED_SPARSE("memory", a.n = SIZE_MAX / 4);
  REFUSED_SPARSE("mask", a.mask = NULL);
  REFUSED_SPARSE("covered", a.covered = 65);
}

/* A framework's tensor, and the table that its type would offer. */
typedef struct tensor {
  void *data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} tensor;

static int describe(void *object, void *out) {
  if (object == NULL) {
    return -1;
  }
  memcpy(out, object, sizeof(tensor));
  return 0;
}

typedef struct table {
  uint32_t major, minor;
  const struct table *older;
  void *unused[3];
  int (*describe)(void *object, void *out);
  void *stream;
} table;

static void test_dlpack(void) {
  const table one = {.major = 1, .minor = 3, .describe = describe};
  const table two = {.major = 2, .older = &one};
  const table other = {.major = 2};
  int64_t shape[2] = {4, 64}, mask_shape[2] = {4, 2}, backwards[2] = {-64, 1}, gaps[2] = {64, 2}, broadcast[2] = {0, 1};
  const tensor l = {logits, 1, 0, 2, 2, 32, 1, shape, NULL, 0}, m = {masks, 1, 0, 2, 0, 32, 1, mask_shape, NULL, 0};
  tensor wrong[] = {l, l, l, l, l, l, l, l, l};
  wrong[0].device_type = 2;
  wrong[1].bits = 64;
  wrong[2].code = 1;
  wrong[3].ndim = 3;
  wrong[4].strides = backwards;
  wrong[5].strides = gaps;
  wrong[6].strides = broadcast;
  wrong[7].lanes = 2;
  wrong[8].byte_offset = 2;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    tensor mask = m;
    CHECK(sluice_apply_dlpack(&one, &wrong[i], &mask) == SLUICE_E_UNSUPPORTED);
  }
  tensor good_l = l, good_m = m, short_m = m;
  int64_t three[2] = {3, 2};
  short_m.shape = three;
  CHECK(sluice_apply_dlpack(&one, &good_l, &short_m) == SLUICE_E_UNSUPPORTED);
  CHECK(sluice_apply_dlpack(&one, &good_l, NULL) == SLUICE_E_UNSUPPORTED);
  CHECK(sluice_apply_dlpack(&other, &good_l, &good_m) == SLUICE_E_UNSUPPORTED);
  CHECK(sluice_apply_dlpack(NULL, &good_l, &good_m) == SLUICE_E_UNSUPPORTED);
  int64_t many[2] = {4096, 65}, many_masks[2] = {4096, 3};
  tensor large_l = l, large_m = m;
  large_l.shape = many;
  large_m.shape = many_masks;
  CHECK(sluice_apply_dlpack(&one, &large_l, &large_m) == SLUICE_E_UNSUPPORTED);
  CHECK(untouched());
  masks[2][1] = 8;
  CHECK(sluice_apply_dlpack(&two, &good_l, &good_m) == SLUICE_OK);
  for (size_t i = 0; i < 4 * 64; i++) {
    CHECK(logits[i] == (i == 2 * 64 + 35 ? 1 : -INFINITY));
  }
  reset();
}

/* apply_many works on rows of its own, with threads of its own. */
static void *apply_many(void *unused) {
  enum { ROWS = 24, VOCAB = 65536 };
  (void)unused;
  float *mine = malloc(sizeof(float) * ROWS * VOCAB);
  uint32_t *mask = calloc(VOCAB / 32, 4);
  CHECK(mine != NULL && mask != NULL);
  mask[7] = 1;
  sluice_apply_args a = {.struct_size = sizeof a,
                         .dtype = SLUICE_DTYPE_F32,
                         .threads = 3,
                         .logits = mine,
                         .n_logit_rows = ROWS,
                         .logit_stride = VOCAB,
                         .vocab_size = VOCAB,
                         .masks = mask,
                         .n_mask_rows = ROWS,
                         .mask_words = VOCAB / 32,
                         .n = ROWS};
  for (int round = 0; round < 5; round++) {
    for (size_t i = 0; i < ROWS * VOCAB; i++) {
      mine[i] = 2;
    }
    CHECK(sluice_apply(&a, NULL) == SLUICE_OK);
    for (size_t i = 0; i < ROWS * VOCAB; i++) {
      CHECK(mine[i] == (i % VOCAB == 7 * 32 ? 2 : -INFINITY));
    }
  }
  free(mine);
  free(mask);
  return NULL;
}

/* FILTER_REFUSED looks for a word in the message; nothing may be written. */
#define FILTER_REFUSED(word, row, words, ids, n, flags)                                               \
  do {                                                                                                \
    CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_mask_filter((row), (words), (ids), (n), (flags), &error)); \
    CHECK(strstr(error.message, word) != NULL && mask[0] == 0xF0 && mask[1] == 1);                    \
  } while (0)

static void test_filter(void) {
  uint32_t mask[2] = {0xF0, 1};
  const int32_t ids[] = {1, 63}, negative[] = {1, -1}, beyond[] = {1, 64};
  FILTER_REFUSED("flags", mask, 2, ids, 2, 4);
  FILTER_REFUSED("row", NULL, 2, ids, 2, 0);
  FILTER_REFUSED("row", mask, SIZE_MAX, ids, 2, 0);
  FILTER_REFUSED("row", (uint32_t *)(uintptr_t)((char *)mask + 1), 1, ids, 1, 0);
  FILTER_REFUSED("ids", mask, 2, NULL, 2, 0);
  FILTER_REFUSED("n is", mask, 2, ids, SIZE_MAX, 0); /* a negative number of the caller; ids has two */
  FILTER_REFUSED("ids[1] is -1", mask, 2, negative, 2, SLUICE_FILTER_RESET);
  FILTER_REFUSED("ids[1] is 64", mask, 2, beyond, 2, SLUICE_FILTER_RESET);
  CHECK_STATUS(SLUICE_OK, sluice_mask_filter(mask, 2, ids, 2, SLUICE_FILTER_ALLOW, &error));
  CHECK(mask[0] == 0xF2 && mask[1] == (1u << 31 | 1));
  CHECK_STATUS(SLUICE_OK, sluice_mask_filter(mask, 2, ids, 2, SLUICE_FILTER_RESET, &error));
  CHECK(mask[0] == ~2u && mask[1] == ~(1u << 31));
}

static void test_threads_and_fork(void) {
  apply_many(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(60);
    apply_many(NULL);
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  pthread_t threads[3];
  for (size_t i = 0; i < 3; i++) {
    CHECK(pthread_create(&threads[i], NULL, apply_many, NULL) == 0);
  }
  for (size_t i = 0; i < 3; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

int main(void) {
  reset();
  test_refusals();
  test_sparse();
  test_sparse_refusals();
  test_dlpack();
  test_filter();
  test_threads_and_fork();
  return 0;
}
