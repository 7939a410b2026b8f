/* avx512.c: the kernel for AVX-512 (F, BW, VL). It tests sixteen words of a mask at once; a word is a store mask without
 * conversion. */
#include "kernel.h"
#include "machine.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "x86.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi")))
#define AVX512_INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,bmi")))

enum { LINE = 64, GROUP = 16 };

/* edge writes pattern to size bytes, less than a line. A store with an empty mask would fetch the line all the same. */
AVX512_INLINE void edge(unsigned char *at, size_t size, __m512i v) {
  if (size != 0) {
    _mm512_mask_storeu_epi8(at, ((uint64_t)1 << size) - 1, v);
  }
}

/* stream writes pattern to LINE bytes or more: whole lines with non-temporal stores, the rest of the first and last line
 * with ordinary ones.
 * PERF: the edges and the whole lines do not overlap. A line that is written both ways must leave the cache in
 * between, which takes a quarter of a microsecond each time. */
AVX512_INLINE void stream(unsigned char *at, size_t size, __m512i v) {
  unsigned char *end = at + size, *whole = at + (0 - (uintptr_t)at) % LINE;
  edge(at, (size_t)(whole - at), v);
  for (; whole + LINE <= end; whole += LINE) {
    _mm512_stream_si512((__m512i *)whole, v);
  }
  edge(whole, (size_t)(end - whole), v);
}

AVX512 static void fill(void *to, size_t size, uint32_t pattern, apply_place place) {
  unsigned char *at = to;
  __m512i v = _mm512_set1_epi32((int)pattern);
  if (size < LINE) {
    edge(at, size, v);
  } else if (place == APPLY_SHARED && size >= STRING_LEAST && apply_here()->string_stores) {
    string_fill(at, size, pattern);
  } else if (place == APPLY_MEMORY && size >= STREAM_LEAST) {
    stream(at, size, v);
  } else {
    _mm512_storeu_si512(at, v);
    _mm512_storeu_si512(at + size - LINE, v);
    unsigned char *end = at + size - LINE;
#pragma GCC unroll 8
    for (unsigned char *p = at + LINE - (uintptr_t)at % LINE; p < end; p += LINE) {
      _mm512_store_si512(p, v);
    }
  }
}

/* denied returns, as bits, the words that forbid something. n is below GROUP at the end of a row. */
AVX512_INLINE unsigned denied(const uint32_t *mask, size_t n, __m512i *words) {
  __m512i ones = _mm512_set1_epi32(-1);
  *words = n >= GROUP ? _mm512_loadu_si512(mask) : _mm512_mask_loadu_epi32(ones, (__mmask16)((1u << n) - 1), mask);
  return _mm512_cmpneq_epi32_mask(*words, ones);
}

/* zero_groups returns the number of zero words, a multiple of GROUP, from a group of zeros on. */
AVX512_INLINE size_t zero_groups(const uint32_t *mask, size_t n) {
  size_t i = GROUP;
  for (; i + GROUP <= n; i += GROUP) {
    __m512i words = _mm512_loadu_si512(mask + i);
    if (_mm512_test_epi32_mask(words, words) != 0) {
      break;
    }
  }
  return i;
}

/* These apply one word. cut stores only −inf; blend writes all logits, and allowed ones keep their value. */
AVX512_INLINE void cut32(uint32_t *at, uint32_t word, __m512i v) {
  _mm512_mask_storeu_epi32(at, (__mmask16)~word, v);
  _mm512_mask_storeu_epi32(at + 16, (__mmask16)(~word >> 16), v);
}

AVX512_INLINE void blend32(uint32_t *at, uint32_t word, __m512i v) {
  _mm512_storeu_si512(at, _mm512_mask_loadu_epi32(v, (__mmask16)word, at));
  _mm512_storeu_si512(at + 16, _mm512_mask_loadu_epi32(v, (__mmask16)(word >> 16), at + 16));
}

AVX512_INLINE void cut16(uint16_t *at, uint32_t word, __m512i v) { _mm512_mask_storeu_epi16(at, ~word, v); }

AVX512_INLINE void blend16(uint16_t *at, uint32_t word, __m512i v) {
  _mm512_storeu_si512(at, _mm512_mask_loadu_epi16(v, word, at));
}

/* These apply a group of words that all forbid something: in the core's cache, in a shared cache, and in memory. some
 * has the words that allow something.
 * PERF: in the core's cache, cutting every word without a branch is best; a branch would mispredict at each word that
 * allows something. Farther away, store masks are slow because they prefetch no lines; loads do. In memory it is best not
 * to read logits that are overwritten anyway. README.md has the numbers. */
AVX512_INLINE void group32(uint32_t *at, const uint32_t *mask, unsigned some, __m512i v, apply_place place) {
  if (place == APPLY_CACHED) {
#pragma GCC unroll 16
    for (size_t j = 0; j < GROUP; j++) {
      cut32(at + 32 * j, mask[j], v);
    }
  } else if (some == 0xFFFF || (some != 0 && place == APPLY_SHARED)) {
#pragma GCC unroll 16
    for (size_t j = 0; j < GROUP; j++) {
      blend32(at + 32 * j, mask[j], v);
    }
  } else if (place == APPLY_SHARED) {
#pragma GCC unroll 32
    for (size_t j = 0; j < GROUP * 32 * sizeof *at; j += LINE) {
      _mm512_storeu_si512((unsigned char *)at + j, v);
    }
  } else {
    for (unsigned none = ~some & 0xFFFF; none != 0;) {
      size_t length, start = next_run(&none, &length);
      stream((unsigned char *)(at + 32 * start), 32 * length * sizeof *at, v);
    }
    for (; some != 0; some &= some - 1) {
      size_t j = (size_t)__builtin_ctz(some);
      cut32(at + 32 * j, mask[j], v);
    }
  }
}

AVX512_INLINE void group16(uint16_t *at, const uint32_t *mask, unsigned some, __m512i v, apply_place place) {
  if (place == APPLY_CACHED) {
#pragma GCC unroll 16
    for (size_t j = 0; j < GROUP; j++) {
      cut16(at + 32 * j, mask[j], v);
    }
  } else if (some == 0xFFFF || (some != 0 && place == APPLY_SHARED)) {
#pragma GCC unroll 16
    for (size_t j = 0; j < GROUP; j++) {
      blend16(at + 32 * j, mask[j], v);
    }
  } else if (place == APPLY_SHARED) {
#pragma GCC unroll 32
    for (size_t j = 0; j < GROUP * 32 * sizeof *at; j += LINE) {
      _mm512_storeu_si512((unsigned char *)at + j, v);
    }
  } else {
    for (unsigned none = ~some & 0xFFFF; none != 0;) {
      size_t length, start = next_run(&none, &length);
      stream((unsigned char *)(at + 32 * start), 32 * length * sizeof *at, v);
    }
    for (; some != 0; some &= some - 1) {
      size_t j = (size_t)__builtin_ctz(some);
      cut16(at + 32 * j, mask[j], v);
    }
  }
}

AVX512 static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m512i v = _mm512_set1_epi32((int)pattern);
  for (size_t i = 0; i < n; i += GROUP) {
    __m512i words;
    unsigned deny = denied(mask + i, n - i, &words), some = _mm512_test_epi32_mask(words, words);
    if (some == 0 && place == APPLY_MEMORY) {
      size_t zeros = zero_groups(mask + i, n - i);
      stream((unsigned char *)(logits + 32 * i), 32 * zeros * sizeof *logits, v);
      i += zeros - GROUP;
      continue;
    }
    if (deny == 0xFFFF) {
      group32(logits + 32 * i, mask + i, some, v, place);
      continue;
    }
    for (; deny != 0; deny &= deny - 1) {
      size_t j = i + (size_t)__builtin_ctz(deny);
      cut32(logits + 32 * j, mask[j], v);
    }
  }
}

AVX512 static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m512i v = _mm512_set1_epi32((int)pattern);
  for (size_t i = 0; i < n; i += GROUP) {
    __m512i words;
    unsigned deny = denied(mask + i, n - i, &words), some = _mm512_test_epi32_mask(words, words);
    if (some == 0 && place == APPLY_MEMORY) {
      size_t zeros = zero_groups(mask + i, n - i);
      stream((unsigned char *)(logits + 32 * i), 32 * zeros * sizeof *logits, v);
      i += zeros - GROUP;
      continue;
    }
    if (deny == 0xFFFF) {
      group16(logits + 32 * i, mask + i, some, v, place);
      continue;
    }
    for (; deny != 0; deny &= deny - 1) {
      size_t j = i + (size_t)__builtin_ctz(deny);
      cut16(logits + 32 * j, mask[j], v);
    }
  }
}

const apply_kernel apply_avx512 = {words32, words16, fill};

#endif /* __x86_64__ */
