/* avx2.c: the kernel for AVX2: eight words of a mask are looked at at once; the bits of a word are spread over lanes. */
#include "apply.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "x86.h"

#define AVX2 __attribute__((target("avx2,bmi")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2,bmi")))

enum { VECTOR = 32, GROUP = 8 };

AVX2_INLINE void put(void *at, __m256i v) { _mm256_storeu_si256((__m256i *)at, v); }

/* stream: size bytes, 64 or more, become pattern around the caches. */
AVX2_INLINE void stream(unsigned char *at, size_t size, __m256i v) {
  put(at, v);
  put(at + size - VECTOR, v);
  unsigned char *end = at + size - VECTOR;
  for (unsigned char *p = at + VECTOR - (uintptr_t)at % VECTOR; p < end; p += VECTOR) {
    _mm256_stream_si256((__m256i *)p, v);
  }
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
    for (unsigned char *p = at + VECTOR - (uintptr_t)at % VECTOR; p < end; p += VECTOR) {
      _mm256_store_si256((__m256i *)p, v);
    }
  }
}

AVX2_INLINE void fill_group(unsigned char *at, size_t size, __m256i v, apply_place place) {
  if (place == APPLY_MEMORY) {
    stream(at, size, v);
    return;
  }
#pragma GCC unroll 32
  for (size_t i = 0; i < size; i += VECTOR) {
    put(at + i, v);
  }
}

/* look returns the words, as bits of the result, that deny something, and whether none of them allows anything. */
AVX2_INLINE unsigned look(const uint32_t *mask, bool *nothing) {
  __m256i words = _mm256_loadu_si256((const __m256i *)mask);
  __m256i whole = _mm256_cmpeq_epi32(words, _mm256_set1_epi32(-1));
  *nothing = _mm256_testz_si256(words, words) != 0;
  return ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(whole)) & 0xFF;
}

/* blend32, blend16: the logits of one word are written, those that stay as they were. */
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

/* PERF: mixed32, mixed16: a word that denies one or two tokens is written one by one. A blend would touch both lines of its
 * logits: 0.4 times the speed where a mask allows almost everything and logits come from memory. */
AVX2_INLINE void mixed32(uint32_t *at, uint32_t word, __m256i v) {
  if (!apply_few(~word)) {
    blend32(at, word, v);
    return;
  }
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = (uint32_t)_mm256_extract_epi32(v, 0);
  }
}

AVX2_INLINE void mixed16(uint16_t *at, uint32_t word, __m256i v) {
  if (!apply_few(~word)) {
    blend16(at, word, v);
    return;
  }
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = (uint16_t)_mm256_extract_epi16(v, 0);
  }
}

AVX2 static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m256i v = _mm256_set1_epi32((int)pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    bool nothing;
    unsigned some = look(mask + i, &nothing);
    uint32_t *at = logits + 32 * i;
    if (nothing) {
      fill_group((unsigned char *)at, GROUP * 32 * sizeof *at, v, place);
    } else if (some == 0xFF) {
      for (size_t j = 0; j < GROUP; j++) {
        blend32(at + 32 * j, mask[i + j], v);
      }
    } else {
      for (; some != 0; some &= some - 1) {
        size_t j = (size_t)__builtin_ctz(some);
        mixed32(at + 32 * j, mask[i + j], v);
      }
    }
  }
  for (; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      blend32(logits + 32 * i, mask[i], v);
    }
  }
}

AVX2 static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  __m256i v = _mm256_set1_epi32((int)pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    bool nothing;
    unsigned some = look(mask + i, &nothing);
    uint16_t *at = logits + 32 * i;
    if (nothing) {
      fill_group((unsigned char *)at, GROUP * 32 * sizeof *at, v, place);
    } else if (some == 0xFF) {
      for (size_t j = 0; j < GROUP; j++) {
        blend16(at + 32 * j, mask[i + j], v);
      }
    } else {
      for (; some != 0; some &= some - 1) {
        size_t j = (size_t)__builtin_ctz(some);
        mixed16(at + 32 * j, mask[i + j], v);
      }
    }
  }
  for (; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      blend16(logits + 32 * i, mask[i], v);
    }
  }
}

const apply_kernel apply_avx2 = {words32, words16, fill};

#endif /* __x86_64__ */
