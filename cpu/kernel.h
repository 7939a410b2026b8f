/* kernel.h: the interface of a kernel, and the helpers that all kernels share. */
#ifndef SLUICE_CPU_KERNEL_H
#define SLUICE_CPU_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* apply_place: the memory that holds the logits of a call, estimated from their size. It decides how a kernel writes. */
typedef enum apply_place {
  APPLY_CACHED, /* they fit a core's own cache */
  APPLY_SHARED, /* they fit the cache that cores share */
  APPLY_MEMORY  /* they fit neither */
} apply_place;

/* apply_kernel: one implementation of the inner loops. Immutable. */
typedef struct apply_kernel {
  /* words32, words16: logit 32i + j becomes pattern if bit j of mask[i] is 0, for i below n. */
  void (*words32)(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place);
  void (*words16)(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place);
  /* fill: size bytes become pattern; at and size are multiples of the element's size. */
  void (*fill)(void *at, size_t size, uint32_t pattern, apply_place place);
} apply_kernel;

extern const apply_kernel apply_generic;
#if defined(__x86_64__)
extern const apply_kernel apply_avx2, apply_avx512;
#elif defined(__aarch64__)
extern const apply_kernel apply_neon;
#endif

/* apply_few returns whether a word has at most two bits. */
static inline bool apply_few(uint32_t bits) {
  bits &= bits - 1;
  return (bits & (bits - 1)) == 0;
}

/* apply_bits applies the first n bits of mask to n logits. It is the specification of words32 and words16, and serves the
 * ends of rows. */
static inline void apply_bits(void *logits, const uint32_t *mask, size_t n, uint32_t pattern, size_t element) {
  for (size_t i = 0; i < n; i++) {
    if ((mask[i / 32] >> (i % 32) & 1) == 0) {
      if (element == 4) {
        ((uint32_t *)logits)[i] = pattern;
      } else {
        ((uint16_t *)logits)[i] = (uint16_t)pattern;
      }
    }
  }
}

#endif /* SLUICE_CPU_KERNEL_H */
