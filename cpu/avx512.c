/* avx512.c: the kernel for AVX-512 (F, BW, VL): sixteen words of a mask are looked at at once, and a word is a store mask
 * as it is. */
#include "apply.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "x86.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi")))
#define AVX512_INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,bmi")))

enum { LINE = 64, GROUP = 16 };

/* stream: size bytes become pattern around the caches. */
AVX512_INLINE void stream(unsigned char *at, size_t size, __m512i v) {
  _mm512_storeu_si512(at, v); /* up to the first whole line, and from the last one */
  _mm512_storeu_si512(at + size - LINE, v);
  unsigned char *end = at + size - LINE;
  for (unsigned char *p = at + LINE - (uintptr_t)at % LINE; p < end; p += LINE) {
    _mm512_stream_si512((__m512i *)p, v);
  }
}

AVX512 static void fill(void *to, size_t size, uint32_t pattern, apply_place place) {
  unsigned char *at = to;
  __m512i v = _mm512_set1_epi32((int)pattern);
  if (size < LINE) {
    _mm512_mask_storeu_epi8(at, ((uint64_t)1 << size) - 1, v);
  } else if (place == APPLY_SHARED && size >= STRING_LEAST && apply_here()->string_stores) {
    string_fill(at, size, pattern);
  } else if (place == APPLY_MEMORY && size >= STREAM_LEAST) {
    stream(at, size, v);
  } else {
    _mm512_storeu_si512(at, v);
    _mm512_storeu_si512(at + size - LINE, v);
    unsigned char *end = at + size - LINE;
    for (unsigned char *p = at + LINE - (uintptr_t)at % LINE; p < end; p += LINE) {
      _mm512_store_si512(p, v);
    }
  }
}

/* fill_group: size bytes, which the compiler knows, become pattern. */
AVX512_INLINE void fill_group(unsigned char *at, size_t size, __m512i v, apply_place place) {
  if (place == APPLY_MEMORY) {
    stream(at, size, v);
    return;
  }
#pragma GCC unroll 32
  for (size_t i = 0; i < size; i += LINE) {
    _mm512_storeu_si512(at + i, v);
  }
}

/* denied returns the words, as bits of the result, that deny something. n is below GROUP at the end of a row. */
AVX512_INLINE unsigned denied(const uint32_t *mask, size_t n, __m512i *words) {
  __m512i ones = _mm512_set1_epi32(-1);
  *words = n >= GROUP ? _mm512_loadu_si512(mask) : _mm512_mask_loadu_epi32(ones, (__mmask16)((1u << n) - 1), mask);
  return _mm512_cmpneq_epi32_mask(*words, ones);
}

/* The logits of one word. cut stores −inf and nothing else; blend writes all of them, those that stay as they were. */
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

/* PERF: groups in which every word denies something take a way without branches: a run of such groups, the usual thing
 * in a mask that allows little, would otherwise mispredict wherever a word allows something. There, cutting is 5 to 50 %
 * faster than blending while the logits are in the core's own cache; beyond it blending is up to twice as fast, since
 * loads bring the lines in ahead of the stores and store masks do not. README.md has the numbers. */
AVX512 static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m512i v = _mm512_set1_epi32((int)pattern);
  for (size_t i = 0; i < n; i += GROUP) {
    __m512i words;
    unsigned some = denied(mask + i, n - i, &words);
    uint32_t *at = logits + 32 * i;
    if (some == 0) {
      continue;
    }
    if (some == 0xFFFF && place == APPLY_CACHED) {
#pragma GCC unroll 16
      for (size_t j = 0; j < GROUP; j++) {
        cut32(at + 32 * j, mask[i + j], v);
      }
    } else if (some == 0xFFFF && _mm512_test_epi32_mask(words, words) == 0) {
      fill_group((unsigned char *)at, GROUP * 32 * sizeof *at, v, place);
    } else if (some == 0xFFFF) {
#pragma GCC unroll 16
      for (size_t j = 0; j < GROUP; j++) {
        blend32(at + 32 * j, mask[i + j], v);
      }
    } else {
      for (; some != 0; some &= some - 1) {
        size_t j = (size_t)__builtin_ctz(some);
        cut32(at + 32 * j, mask[i + j], v);
      }
    }
  }
}

AVX512 static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m512i v = _mm512_set1_epi32((int)pattern);
  for (size_t i = 0; i < n; i += GROUP) {
    __m512i words;
    unsigned some = denied(mask + i, n - i, &words);
    uint16_t *at = logits + 32 * i;
    if (some == 0) {
      continue;
    }
    if (some == 0xFFFF && place == APPLY_CACHED) {
#pragma GCC unroll 16
      for (size_t j = 0; j < GROUP; j++) {
        cut16(at + 32 * j, mask[i + j], v);
      }
    } else if (some == 0xFFFF && _mm512_test_epi32_mask(words, words) == 0) {
      fill_group((unsigned char *)at, GROUP * 32 * sizeof *at, v, place);
    } else if (some == 0xFFFF) {
#pragma GCC unroll 16
      for (size_t j = 0; j < GROUP; j++) {
        blend16(at + 32 * j, mask[i + j], v);
      }
    } else {
      for (; some != 0; some &= some - 1) {
        size_t j = (size_t)__builtin_ctz(some);
        cut16(at + 32 * j, mask[i + j], v);
      }
    }
  }
}

const apply_kernel apply_avx512 = {words32, words16, fill};

#endif /* __x86_64__ */
