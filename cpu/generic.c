/* generic.c: the kernel in plain C, logit by logit. Tests compare the other kernels with it, and it runs on machines that
 * can run none of them. */
#include "kernel.h"

static void words32(uint32_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  (void)place;
  for (size_t i = 0; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      apply_bits(logits + 32 * i, mask + i, 32, pattern, sizeof *logits);
    }
  }
}

static void words16(uint16_t *logits, const uint32_t *mask, size_t n, uint32_t pattern, apply_place place) {
  (void)place;
  for (size_t i = 0; i < n; i++) {
    if (mask[i] != UINT32_MAX) {
      apply_bits(logits + 32 * i, mask + i, 32, pattern, sizeof *logits);
    }
  }
}

static void fill(void *at, size_t size, uint32_t pattern, apply_place place) {
  (void)place;
  for (size_t i = 0; i < size / 2; i++) { /* odd places hold the upper half of a 32-bit −inf */
    ((uint16_t *)at)[i] = (uint16_t)(i % 2 == 0 ? pattern : pattern >> 16);
  }
}

const apply_kernel apply_generic = {words32, words16, fill};
