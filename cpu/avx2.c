/* avx2.c: the kernel for AVX2. It tests eight words of a mask at once and spreads the bits of a word over lanes. */
#include "kernel.h"
#include "machine.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "x86.h"

#define AVX2 __attribute__((target("avx2,bmi")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2,bmi")))

enum { VECTOR = 32, LINE = 64, GROUP = 8 };

AVX2_INLINE void put(void *at, __m256i v) { _mm256_storeu_si256((__m256i *)at, v); }

/* edge writes pattern to size bytes, less than a line, and to nothing else. */
AVX2_INLINE void edge(unsigned char *at, size_t size, __m256i v) {
  __m128i half = _mm256_castsi256_si128(v);
  for (; size >= 16; size -= 16, at += 16) {
    _mm_storeu_si128((__m128i *)at, half);
  }
  apply_generic.fill(at, size, (uint32_t)_mm_cvtsi128_si32(half), APPLY_CACHED);
}

/* stream writes pattern to 64 bytes or more: whole lines with non-temporal stores, the rest of the first and last line
 * with ordinary ones. The comment on edges in avx512.c applies here too. */
AVX2_INLINE void stream(unsigned char *at, size_t size, __m256i v) {
  unsigned char *end = at + size, *whole = at + (0 - (uintptr_t)at) % LINE;
  edge(at, (size_t)(whole - at), v);
  for (; whole + LINE <= end; whole += LINE) {
    _mm256_stream_si256((__m256i *)whole, v);
    _mm256_stream_si256((__m256i *)(whole + VECTOR), v);
  }
  edge(whole, (size_t)(end - whole), v);
}

AVX2 static void fill(void *to, size_t size, uint32_t pattern, apply_place place) {
  unsigned char *at = to;
  __m256i v = _mm256_set1_epi32((int)pattern);
  if (size < VECTOR) {
    apply_generic.fill(at, size, pattern, place);
  } else if (place == APPLY_SHARED && size >= STRING_LEAST && apply_here()->string_stores) {
    string_fill(at, size, pattern);
  } else if (place == APPLY_MEMORY && size >= STREAM_LEAST) {
    stream(at, size, v);
  } else {
    put(at, v);
    put(at + size - VECTOR, v);
    unsigned char *end = at + size - VECTOR;
#pragma GCC unroll 8
    for (unsigned char *p = at + VECTOR - (uintptr_t)at % VECTOR; p < end; p += VECTOR) {
      _mm256_store_si256((__m256i *)p, v);
    }
  }
}

/* look returns, as bits, the words that forbid something; some gets the words that allow something. */
AVX2_INLINE unsigned look(const uint32_t *mask, unsigned *some) {
  __m256i words = _mm256_loadu_si256((const __m256i *)mask);
  __m256i whole = _mm256_cmpeq_epi32(words, _mm256_set1_epi32(-1));
  __m256i none = _mm256_cmpeq_epi32(words, _mm256_setzero_si256());
  *some = ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(none)) & 0xFF;
  return ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(whole)) & 0xFF;
}

/* zero_groups returns the number of zero words, a multiple of GROUP, from a group of zeros on. */
AVX2_INLINE size_t zero_groups(const uint32_t *mask, size_t n) {
  size_t i = GROUP;
  for (; i + GROUP <= n; i += GROUP) {
    __m256i words = _mm256_loadu_si256((const __m256i *)(mask + i));
    if (!_mm256_testz_si256(words, words)) {
      break;
    }
  }
  return i;
}

/* blend32, blend16 write all logits of one word; allowed ones keep their value. */
AVX2_INLINE void blend32(uint32_t *at, uint32_t word, __m256i v) {
  __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    __m256i spread = _mm256_and_si256(_mm256_set1_epi32((int)(word >> 8 * i)), bits);
    __m256i stays = _mm256_cmpeq_epi32(spread, bits);
    put(at + 8 * i, _mm256_blendv_epi8(v, _mm256_loadu_si256((const __m256i *)(at + 8 * i)), stays));
  }
}

AVX2_INLINE void blend16(uint16_t *at, uint32_t word, __m256i v) {
  __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    __m256i spread = _mm256_and_si256(_mm256_set1_epi16((short)(word >> 16 * i)), bits);
    __m256i stays = _mm256_cmpeq_epi16(spread, bits);
    put(at + 16 * i, _mm256_blendv_epi8(v, _mm256_loadu_si256((const __m256i *)(at + 16 * i)), stays));
  }
}

/* each32, each16 write the forbidden logits of one word, one by one. */
AVX2_INLINE void each32(uint32_t *at, uint32_t word, __m256i v) {
  uint32_t value = (uint32_t)_mm256_extract_epi32(v, 0);
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = value;
  }
}

AVX2_INLINE void each16(uint16_t *at, uint32_t word, __m256i v) {
  uint16_t value = (uint16_t)_mm256_extract_epi16(v, 0);
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = value;
  }
}

/* mixed32, mixed16 apply a word that allows some tokens and forbids others.
 * PERF: one or two stores beat a blend, which touches both lines of a word's logits: 2.5 times the speed if a mask allows
 * almost everything and logits are in memory. There thirty stores are better as well, because they do not wait for a line
 * to arrive, as a blend's load does. */
AVX2_INLINE void mixed32(uint32_t *at, uint32_t word, __m256i v, apply_place place) {
  if (apply_few(~word) || (place == APPLY_MEMORY && apply_few(word))) {
    each32(at, word, v);
  } else {
    blend32(at, word, v);
  }
}

AVX2_INLINE void mixed16(uint16_t *at, uint32_t word, __m256i v, apply_place place) {
  if (apply_few(~word) || (place == APPLY_MEMORY && apply_few(word))) {
    each16(at, word, v);
  } else {
    blend16(at, word, v);
  }
}

/* group32 applies words that all forbid something. The comment on the three places in avx512.c applies here too. */
AVX2_INLINE void group32(uint32_t *at, const uint32_t *mask, unsigned some, __m256i v, apply_place place) {
  if (some == 0 && place != APPLY_MEMORY) {
#pragma GCC unroll 32
    for (size_t j = 0; j < GROUP * 32 * sizeof *at; j += VECTOR) {
      put((unsigned char *)at + j, v);
    }
  } else if (some == 0xFF || place != APPLY_MEMORY) {
    for (size_t j = 0; j < GROUP; j++) {
      blend32(at + 32 * j, mask[j], v);
    }
  } else {
    for (unsigned none = ~some & 0xFF; none != 0;) {
      size_t length, start = next_run(&none, &length);
      stream((unsigned char *)(at + 32 * start), 32 * length * sizeof *at, v);
    }
    for (; some != 0; some &= some - 1) {
      size_t j = (size_t)__builtin_ctz(some);
      mixed32(at + 32 * j, mask[j], v, place);
    }
  }
}

/* group16 applies words that all forbid something. The comment on the three places in avx512.c applies here too. */
AVX2_INLINE void group16(uint16_t *at, const uint32_t *mask, unsigned some, __m256i v, apply_place place) {
  if (some == 0 && place != APPLY_MEMORY) {
#pragma GCC unroll 32
    for (size_t j = 0; j < GROUP * 32 * sizeof *at; j += VECTOR) {
      put((unsigned char *)at + j, v);
    }
  } else if (some == 0xFF || place != APPLY_MEMORY) {
    for (size_t j = 0; j < GROUP; j++) {
      blend16(at + 32 * j, mask[j], v);
    }
  } else {
    for (unsigned none = ~some & 0xFF; none != 0;) {
      size_t length, start = next_run(&none, &length);
      stream((unsigned char *)(at + 32 * start), 32 * length * sizeof *at, v);
    }
    for (; some != 0; some &= some - 1) {
      size_t j = (size_t)__builtin_ctz(some);
      mixed16(at + 32 * j, mask[j], v, place);
    }
  }
}

AVX2 static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m256i v = _mm256_set1_epi32((int)pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    unsigned some, deny = look(mask + i, &some);
    if (some == 0 && place == APPLY_MEMORY) {
      size_t zeros = zero_groups(mask + i, n - i);
      stream((unsigned char *)(logits + 32 * i), 32 * zeros * sizeof *logits, v);
      i += zeros - GROUP;
      continue;
    }
    if (deny == 0xFF) {
      group32(logits + 32 * i, mask + i, some, v, place);
      continue;
    }
    for (; deny != 0; deny &= deny - 1) {
      size_t j = i + (size_t)__builtin_ctz(deny);
      mixed32(logits + 32 * j, mask[j], v, place);
    }
  }
  for (; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      mixed32(logits + 32 * i, mask[i], v, place);
    }
  }
}

AVX2 static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m256i v = _mm256_set1_epi32((int)pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    unsigned some, deny = look(mask + i, &some);
    if (some == 0 && place == APPLY_MEMORY) {
      size_t zeros = zero_groups(mask + i, n - i);
      stream((unsigned char *)(logits + 32 * i), 32 * zeros * sizeof *logits, v);
      i += zeros - GROUP;
      continue;
    }
    if (deny == 0xFF) {
      group16(logits + 32 * i, mask + i, some, v, place);
      continue;
    }
    for (; deny != 0; deny &= deny - 1) {
      size_t j = i + (size_t)__builtin_ctz(deny);
      mixed16(logits + 32 * j, mask[j], v, place);
    }
  }
  for (; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      mixed16(logits + 32 * i, mask[i], v, place);
    }
  }
}

const apply_kernel apply_avx2 = {words32, words16, fill};

#endif /* __x86_64__ */
