/* neon.c: the kernel for 64-bit ARM. It tests four words of a mask at once and spreads the bits of a word over lanes. */
#include "kernel.h"
#include "machine.h"

#if defined(__aarch64__)

#include <arm_neon.h>

enum { VECTOR = 16, GROUP = 4 };

static inline void put(void *at, uint32x4_t v) { vst1q_u8(at, vreinterpretq_u8_u32(v)); }

/* These machines do not read a line before they overwrite all of it, so fill ignores the place. */
static void fill(void *to, size_t size, uint32_t pattern, apply_place place) {
  unsigned char *at = to;
  uint32x4_t v = vdupq_n_u32(pattern);
  if (size < VECTOR) {
    apply_generic.fill(at, size, pattern, place);
    return;
  }
  size_t i = 0;
  for (; i + 4 * VECTOR <= size; i += 4 * VECTOR) {
    put(at + i, v);
    put(at + i + VECTOR, v);
    put(at + i + 2 * VECTOR, v);
    put(at + i + 3 * VECTOR, v);
  }
  for (; i + VECTOR <= size; i += VECTOR) {
    put(at + i, v);
  }
  put(at + size - VECTOR, v);
}

static inline void blend32(uint32_t *at, uint32_t word, uint32x4_t v) {
  const uint32x4_t bits = {1, 2, 4, 8};
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    uint32x4_t stays = vtstq_u32(vdupq_n_u32(word >> 4 * i), bits);
    vst1q_u32(at + 4 * i, vbslq_u32(stays, vld1q_u32(at + 4 * i), v));
  }
}

static inline void blend16(uint16_t *at, uint32_t word, uint32x4_t v) {
  const uint16x8_t bits = {1, 2, 4, 8, 16, 32, 64, 128};
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    uint16x8_t stays = vtstq_u16(vdupq_n_u16((uint16_t)(word >> 8 * i)), bits);
    vst1q_u16(at + 8 * i, vbslq_u16(stays, vld1q_u16(at + 8 * i), vreinterpretq_u16_u32(v)));
  }
}

/* PERF: mixed32 and mixed16 write a word that forbids one or two tokens logit by logit. A blend would touch both lines of
 * its logits: 0.4 times the speed if a mask allows almost everything and logits are in memory. */
static inline void mixed32(uint32_t *at, uint32_t word, uint32x4_t v) {
  if (!apply_few(~word)) {
    blend32(at, word, v);
    return;
  }
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = vgetq_lane_u32(v, 0);
  }
}

static inline void mixed16(uint16_t *at, uint32_t word, uint32x4_t v) {
  if (!apply_few(~word)) {
    blend16(at, word, v);
    return;
  }
  for (uint32_t denied = ~word; denied != 0; denied &= denied - 1) {
    at[__builtin_ctz(denied)] = vgetq_lane_u16(vreinterpretq_u16_u32(v), 0);
  }
}

static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  uint32x4_t v = vdupq_n_u32(pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    uint32x4_t words = vld1q_u32(mask + i);
    uint32_t *at = logits + 32 * i;
    if (vminvq_u32(words) == UINT32_MAX) {
      continue;
    }
    if (vmaxvq_u32(words) == 0) {
      fill(at, GROUP * 32 * sizeof *at, pattern, place);
      continue;
    }
    for (size_t j = 0; j < GROUP; j++) {
      if (mask[i + j] != UINT32_MAX) {
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

static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  uint32x4_t v = vdupq_n_u32(pattern);
  size_t i = 0;
  for (; i + GROUP <= n; i += GROUP) {
    uint32x4_t words = vld1q_u32(mask + i);
    uint16_t *at = logits + 32 * i;
    if (vminvq_u32(words) == UINT32_MAX) {
      continue;
    }
    if (vmaxvq_u32(words) == 0) {
      fill(at, GROUP * 32 * sizeof *at, pattern, place);
      continue;
    }
    for (size_t j = 0; j < GROUP; j++) {
      if (mask[i + j] != UINT32_MAX) {
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

const apply_kernel apply_neon = {words32, words16, fill};

#endif /* __aarch64__ */
