/* level.c: the kernel of each level that this machine can run. */
#include "level.h"

#include "machine.h"
#include "sluice.h"

const apply_kernel *apply_kernel_of(uint32_t level) {
  if (level == SLUICE_CPU_BEST) {
    level = apply_here()->level;
  }
  switch (level) {
    case SLUICE_CPU_GENERIC:
      return &apply_generic;
#if defined(__x86_64__)
    case SLUICE_CPU_AVX2:
      return apply_here()->level >= SLUICE_CPU_AVX2 ? &apply_avx2 : NULL;
    case SLUICE_CPU_AVX512:
      return apply_here()->level >= SLUICE_CPU_AVX512 ? &apply_avx512 : NULL;
#elif defined(__aarch64__)
    case SLUICE_CPU_NEON:
      return &apply_neon;
#endif
    default:
      return NULL;
  }
}
