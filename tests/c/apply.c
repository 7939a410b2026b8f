/* Every level, dtype and form of sluice_apply against a model that decides each logit separately, bit by bit, with
 * canaries around everything that may be written. The arguments choose the seed and the number of rounds. */
#include <stdint.h>

#include "support.h"

enum { MAX_VOCAB = 1500, MAX_ROWS = 5, GAP = 67, ROOM = (MAX_VOCAB + GAP) * MAX_ROWS + 2 * GAP, MAX_WORDS = 52 };

static uint64_t seed = 1;

static size_t below(size_t n) { return (size_t)(next_random(&seed) >> 11) % n; }

/* round: one call, and the memory that it is given. Logits are bytes here, so that unchanged memory is compared whole. */
typedef struct test {
  sluice_apply_args args;
  size_t element;
  unsigned char before[4 * ROOM];
  unsigned char logits[4 * ROOM];
  unsigned char wanted[4 * ROOM];
  uint32_t masks[MAX_ROWS * (MAX_WORDS + 3)];
  void *logit_rows[MAX_ROWS];
  const uint32_t *mask_rows[MAX_ROWS];
  int32_t logit_index[MAX_ROWS];
  int32_t mask_index[MAX_ROWS];
  int32_t enabled[MAX_ROWS];
  int32_t token_map[MAX_VOCAB];
} test;

/* word draws a word of a mask: none, all, few, many, or any bits. */
static uint32_t word(size_t kind) {
  uint32_t any = (uint32_t)(next_random(&seed) >> 32);
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return UINT32_MAX;
    case 2:
      return UINT32_C(1) << (any % 32);
    case 3:
      return ~(UINT32_C(1) << (any % 32));
    case 4:
      return ~(UINT32_C(5) << (any % 30));
    default:
      return any;
  }
}

/* draw_masks fills all words; runs of one kind are long enough for every way through a kernel. */
static void draw_masks(test *t) {
  size_t n = sizeof t->masks / sizeof t->masks[0];
  for (size_t i = 0; i < n;) {
    size_t kind = below(8), run = 1 + below(60);
    for (; run > 0 && i < n; run--) {
      t->masks[i++] = word(kind);
    }
  }
}

/* draw_logits fills the rows; a NaN with a payload here and there must keep its bits. */
static void draw_logits(test *t, size_t stride) {
  sluice_apply_args *a = &t->args;
  for (size_t i = 0; i < sizeof t->before; i++) {
    t->before[i] = below(16) == 0 ? 0xFF : (unsigned char)next_random(&seed);
  }
  memcpy(t->logits, t->before, sizeof t->before);
  size_t first = below(GAP) * t->element; /* not aligned to anything but the element */
  if (below(3) == 0) {
    for (size_t i = 0; i < a->n_logit_rows; i++) {
      t->logit_rows[i] = below(8) == 0 ? NULL : t->logits + first + (a->n_logit_rows - 1 - i) * stride * t->element;
    }
    a->logit_rows = t->logit_rows;
  } else {
    a->logits = t->logits + first;
    a->logit_stride = stride;
  }
}

static void draw(test *t, uint32_t dtype, uint32_t level) {
  memset(&t->args, 0, sizeof t->args);
  sluice_apply_args *a = &t->args;
  t->element = dtype == SLUICE_DTYPE_F32 ? 4 : 2;
  a->struct_size = sizeof *a;
  a->dtype = dtype;
  a->level = level;
  a->flags = (uint32_t)below(4);
  a->threads = (uint32_t)below(4);
  a->vocab_size = below(4) == 0 ? below(70) : below(MAX_VOCAB) + 1;
  a->n_logit_rows = 1 + below(MAX_ROWS);
  a->n_mask_rows = 1 + below(MAX_ROWS);
  a->mask_words = below(3) == 0 ? below(MAX_WORDS) : (a->vocab_size + 31) / 32;
  a->covered = a->mask_words == 0 || below(2) == 0 ? 0 : 1 + below(32 * a->mask_words);
  draw_masks(t);
  draw_logits(t, a->vocab_size + below(GAP));
  a->mask_stride = below(6) == 0 ? 0 : a->mask_words + below(3);
  if (below(3) == 0) {
    for (size_t i = 0; i < a->n_mask_rows; i++) {
      t->mask_rows[i] = below(8) == 0 ? NULL : t->masks + i * a->mask_stride;
    }
    a->mask_rows = t->mask_rows;
  } else {
    a->masks = t->masks;
  }
  size_t most = a->n_logit_rows < a->n_mask_rows ? a->n_logit_rows : a->n_mask_rows;
  a->n = below(most + 1);
  if (below(2) == 0) { /* rows may be named in any order, and twice */
    a->n = below(MAX_ROWS + 1);
    for (size_t i = 0; i < a->n; i++) {
      t->logit_index[i] = (int32_t)below(a->n_logit_rows);
      t->mask_index[i] = (int32_t)below(a->n_mask_rows + 1) - 1;
    }
    a->logit_index = t->logit_index;
    a->mask_index = t->mask_index;
  }
  if (below(3) == 0) {
    for (size_t i = 0; i < a->n; i++) {
      t->enabled[i] = (int32_t)below(3) - 1;
    }
    a->enabled = t->enabled;
  }
  if (below(3) == 0) {
    for (size_t i = 0; i < a->vocab_size; i++) {
      int32_t id = below(20) == 0 ? (int32_t)(next_random(&seed) >> 33) - (1 << 30) : (int32_t)below(MAX_VOCAB);
      t->token_map[i] = (a->flags & SLUICE_APPLY_MAP_OFFSETS) != 0 ? id - (int32_t)i : id;
    }
    a->token_map = t->token_map;
  }
}

/* stays asks the question of kernels.h for one logit. */
static int stays(const sluice_apply_args *a, const uint32_t *mask, size_t i) {
  int64_t id = (int64_t)i;
  size_t covered = a->covered != 0 ? a->covered : 32 * a->mask_words;
  if (a->token_map != NULL) {
    id = a->token_map[i] + ((a->flags & SLUICE_APPLY_MAP_OFFSETS) != 0 ? (int64_t)i : 0);
  }
  if (id < 0 || (size_t)id >= covered) {
    return (a->flags & SLUICE_APPLY_KEEP_BEYOND) != 0;
  }
  return (int)(mask[id / 32] >> (id % 32) & 1);
}

/* model computes the right content of memory after the call. */
static void model(test *t) {
  static const unsigned char infinity[][4] = {{0, 0, 0x80, 0xFF}, {0, 0xFC}, {0x80, 0xFF}};
  const sluice_apply_args *a = &t->args;
  memcpy(t->wanted, t->before, sizeof t->before);
  for (size_t i = 0; i < a->n; i++) {
    size_t row = a->logit_index != NULL ? (size_t)a->logit_index[i] : i;
    int32_t of = a->mask_index != NULL ? a->mask_index[i] : (int32_t)i;
    if (of < 0 || (a->enabled != NULL && a->enabled[i] == 0)) {
      continue;
    }
    unsigned char *at =
        a->logit_rows != NULL ? a->logit_rows[row] : (unsigned char *)a->logits + row * a->logit_stride * t->element;
    const uint32_t *mask = a->mask_rows != NULL ? a->mask_rows[of] : a->masks + (size_t)of * a->mask_stride;
    for (size_t j = 0; at != NULL && mask != NULL && j < a->vocab_size; j++) {
      if (!stays(a, mask, j)) {
        memcpy(t->wanted + (at - t->logits) + j * t->element, infinity[a->dtype - 1], t->element);
      }
    }
  }
}

/* large compares a level with the generic one on rows beyond the caches, for which it uses other instructions, on
 * several threads. */
static void large(uint32_t dtype, uint32_t level, size_t rows, size_t vocab, uint32_t threads) {
  size_t element = dtype == SLUICE_DTYPE_F32 ? 4 : 2, words = (vocab + 31) / 32, bytes = rows * vocab * element;
  unsigned char *logits[2] = {malloc(bytes + 64), malloc(bytes + 64)};
  uint32_t *masks = malloc(rows * words * 4);
  int32_t *index = malloc(rows * sizeof *index);
  CHECK(logits[0] != NULL && logits[1] != NULL && masks != NULL && index != NULL);
  for (size_t i = 0; i < rows; i++) {
    index[i] = (int32_t)(rows - 1 - i); /* does not ascend, so that the rows are looked at */
    for (size_t j = 0; j < words;) {
      size_t kind = i % 4 == 0 ? 0 : below(8), run = 1 + below(900);
      for (; run > 0 && j < words; run--) {
        masks[i * words + j++] = word(kind);
      }
    }
    for (size_t few = below(300); few > 0; few--) { /* every fourth row allows few tokens and nothing else */
      masks[i * words + below(words)] |= word(2);
    }
  }
  index[rows - 1] = index[0]; /* twice in one call, far apart: it must meet both masks all the same */
  for (size_t k = 0; k < 2; k++) {
    memset(logits[k], 0x3C, bytes + 64);
    sluice_apply_args a = {.struct_size = sizeof a,
                           .dtype = dtype,
                           .level = k == 0 ? SLUICE_CPU_GENERIC : level,
                           .threads = k == 0 ? 1 : threads,
                           .logits = logits[k] + 4, /* aligned to the element alone */
                           .n_logit_rows = rows,
                           .logit_stride = vocab,
                           .vocab_size = vocab,
                           .masks = masks,
                           .n_mask_rows = rows,
                           .mask_stride = words,
                           .mask_words = words,
                           .n = rows,
                           .logit_index = index};
    CHECK_STATUS(SLUICE_OK, sluice_apply(&a, &error));
  }
  CHECK(memcmp(logits[0], logits[1], bytes + 64) == 0);
  free(logits[0]);
  free(logits[1]);
  free(masks);
  free(index);
}

int main(int argc, char **argv) {
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  size_t rounds = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1500;
  static test t;
  unsigned tried = 0;
  printf("seed %llu, best level %u\n", (unsigned long long)seed, (unsigned)sluice_cpu_level());
  for (uint32_t level = SLUICE_CPU_BEST; level <= SLUICE_CPU_NEON; level++) {
    sluice_apply_args probe = {.struct_size = sizeof probe, .dtype = SLUICE_DTYPE_F32, .level = level};
    sluice_status status = sluice_apply(&probe, &error);
    if (status == SLUICE_E_UNAVAILABLE) {
      printf("level %u: not on this machine\n", (unsigned)level);
      continue;
    }
    CHECK_STATUS(SLUICE_OK, status);
    tried++;
    size_t tests = level == SLUICE_CPU_BEST ? rounds / 10 : rounds; /* the best one comes again under its own number */
    for (uint32_t dtype = SLUICE_DTYPE_F32; dtype <= SLUICE_DTYPE_BF16; dtype++) {
      for (size_t i = 0; i < tests; i++) {
        uint64_t before = seed;
        draw(&t, dtype, level);
        model(&t);
        CHECK_STATUS(SLUICE_OK, sluice_apply(&t.args, &error));
        if (memcmp(t.logits, t.wanted, sizeof t.wanted) != 0) {
          size_t at = 0;
          while (t.logits[at] == t.wanted[at]) {
            at++;
          }
          fprintf(stderr, "level %u, dtype %u, seed %llu: byte %zu is %#x, wanted %#x, was %#x\n", (unsigned)level,
                  (unsigned)dtype, (unsigned long long)before, at, t.logits[at], t.wanted[at], t.before[at]);
          return 1;
        }
      }
      large(dtype, level, 5, 128256, 1); /* in the shared cache */
      large(dtype, level, 43, 50257, 4); /* on threads */
    }
    large(SLUICE_DTYPE_BF16, level, 300, 151669, 2); /* beyond every cache of a small machine */
  }
  CHECK(tried >= 2 && sluice_cpu_level() >= SLUICE_CPU_GENERIC);
  return 0;
}
