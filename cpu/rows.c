/* rows.c: applies a row of a mask to a row of logits. This file does what all levels share: the extent of the mask, token
 * maps, ends of rows. The kernel has the inner loops. */
#include <string.h>

#include "job.h"

/* PERF: sparse_chunk takes this many words of a row at a time: all, except for the largest vocabularies. Chunks of 512
 * words are 30 % slower, because every fill waits for the loads before it. A chunk keeps at most 64 logits for each byte
 * of a logit; more cost more than they save. */
enum { CHUNK_WORDS = 4096, CHUNK_KEPT = 256 };

/* Words that mapped_row makes from a token map before it applies them. */
enum { MAPPED_WORDS = 32 };

/* words applies n whole words. */
static void words(const apply_job *job, void *logits, const uint32_t *mask, size_t n) {
  if (job->element == 4) {
    job->kernel->words32(logits, mask, n, job->pattern, job->place);
  } else {
    job->kernel->words16(logits, mask, n, job->pattern, job->place);
  }
}

/* kept: the logits of a chunk that stay, while the others are filled. */
typedef struct kept {
  size_t n;
  uint32_t at[CHUNK_KEPT];
  uint32_t value[CHUNK_KEPT];
} kept;

/* some returns whether 16 words allow anything. */
static inline bool some(const uint32_t *mask) {
  uint32_t any = 0;
  for (size_t i = 0; i < 16; i++) {
    any |= mask[i];
  }
  return any != 0;
}

/* keep copies the logits that n words allow; false if there are too many. */
static bool keep(kept *k, const void *logits, const uint32_t *mask, size_t n, size_t element) {
  size_t most = element == 4 ? CHUNK_KEPT : CHUNK_KEPT / 4, count = 0;
  for (size_t i = 0; i < n;) {
    if (n - i >= 16 && !some(mask + i)) {
      i += 16;
      continue;
    }
    for (size_t end = n - i < 16 ? n : i + 16; i < end; i++) {
      if (mask[i] != 0 && count + 32 > most) {
        return false;
      }
      for (uint32_t word = mask[i]; word != 0; word &= word - 1) {
        k->at[count++] = (uint32_t)(32 * i) + (uint32_t)__builtin_ctz(word);
      }
    }
  }
  k->n = count;
  for (size_t i = 0; i < count; i++) {
    uint32_t at = k->at[i];
    k->value[i] = element == 4 ? ((const uint32_t *)logits)[at] : ((const uint16_t *)logits)[at];
  }
  return true;
}

/* sparse_chunk applies n words: it fills all their logits and restores the few allowed ones. If these are not few, it
 * writes nothing and returns false.
 * PERF: in a shared cache one long fill runs at memset's speed, up to twice as fast as stores with gaps. In a core's own
 * cache such stores are as fast, and in memory restoring logits costs more than the fill saves. */
static bool sparse_chunk(const apply_job *job, void *logits, const uint32_t *mask, size_t n) {
  kept k;
  if (!keep(&k, logits, mask, n, job->element)) {
    return false;
  }
  job->kernel->fill(logits, 32 * n * job->element, job->pattern, job->place);
  for (size_t i = 0; i < k.n; i++) {
    if (job->element == 4) {
      ((uint32_t *)logits)[k.at[i]] = k.value[i];
    } else {
      ((uint16_t *)logits)[k.at[i]] = (uint16_t)k.value[i];
    }
  }
  return true;
}

/* plain_row applies a mask that covers all n logits. */
static void plain_row(const apply_job *job, unsigned char *logits, const uint32_t *mask, size_t n) {
  size_t whole = n / 32;
  if (job->place != APPLY_SHARED) {
    words(job, logits, mask, whole);
  } else {
    for (size_t i = 0; i < whole; i += CHUNK_WORDS) {
      size_t some = whole - i < CHUNK_WORDS ? whole - i : CHUNK_WORDS;
      unsigned char *at = logits + 32 * i * job->element;
      if (!sparse_chunk(job, at, mask + i, some)) {
        words(job, at, mask + i, some);
      }
    }
  }
  apply_bits(logits + 32 * whole * job->element, mask + whole, n % 32, job->pattern, job->element);
}

/* mapped_word makes the word for n ≤ 32 logits from the bits of their ids in the token map. */
static uint32_t mapped_word(const apply_job *job, const uint32_t *mask, size_t first, size_t n) {
  const int32_t *map = job->args->token_map + first;
  int64_t step = (job->args->flags & SLUICE_APPLY_MAP_OFFSETS) != 0;
  uint32_t beyond = (job->args->flags & SLUICE_APPLY_KEEP_BEYOND) != 0;
  uint32_t word = 0;
  for (size_t i = 0; i < n; i++) {
    /* A negative id is a large number here. There is no branch, because maps have no order that could be predicted. */
    uint64_t id = (uint64_t)(map[i] + step * (int64_t)(first + i));
    uint64_t inside = id < job->covered;
    uint64_t safe = id & (0 - inside);
    uint32_t bit = mask[safe / 32] >> (safe % 32) & 1;
    word |= (inside ? bit : beyond) << i;
  }
  return word;
}

/* mapped_row applies a mask through the token map. */
static void mapped_row(const apply_job *job, unsigned char *logits, const uint32_t *mask) {
  size_t n = job->args->vocab_size;
  for (size_t i = 0; i < n; i += 32 * MAPPED_WORDS) {
    uint32_t made[MAPPED_WORDS];
    size_t some = n - i < 32 * MAPPED_WORDS ? n - i : 32 * MAPPED_WORDS;
    for (size_t j = 0; j < some; j += 32) {
      made[j / 32] = mapped_word(job, mask, i + j, some - j < 32 ? some - j : 32);
    }
    unsigned char *at = logits + i * job->element;
    words(job, at, made, some / 32);
    apply_bits(at + some / 32 * 32 * job->element, made + some / 32, some % 32, job->pattern, job->element);
  }
}

/* apply_pair applies one mask to one row. */
static void apply_pair(const apply_job *job, unsigned char *logits, const uint32_t *mask) {
  size_t n = job->args->vocab_size;
  size_t covered = n < job->covered ? n : job->covered;
  if (job->args->token_map != NULL && job->covered != 0) {
    mapped_row(job, logits, mask);
    return;
  }
  plain_row(job, logits, mask, covered);
  if (covered < n && (job->args->flags & SLUICE_APPLY_KEEP_BEYOND) == 0) {
    job->kernel->fill(logits + covered * job->element, (n - covered) * job->element, job->pattern, job->place);
  }
}

void apply_pairs(const apply_job *job, size_t first, size_t last) {
  const sluice_apply_args *a = job->args;
  for (size_t i = first; i < last; i++) {
    if ((a->enabled != NULL && a->enabled[i] == 0) || (a->mask_index != NULL && a->mask_index[i] < 0)) {
      continue;
    }
    size_t row = a->logit_index != NULL ? (size_t)a->logit_index[i] : i;
    size_t of = a->mask_index != NULL ? (size_t)a->mask_index[i] : i;
    unsigned char *logits =
        a->logit_rows != NULL ? a->logit_rows[row] : (unsigned char *)a->logits + row * a->logit_stride * job->element;
    const uint32_t *mask = a->mask_rows != NULL ? a->mask_rows[of] : a->masks + of * a->mask_stride;
    if (logits != NULL && (mask != NULL || (a->mask_rows == NULL && a->mask_words == 0))) {
      apply_pair(job, logits, mask);
    }
  }
#if defined(__x86_64__)
  __builtin_ia32_sfence(); /* nothing else orders non-temporal stores */
#endif
}
