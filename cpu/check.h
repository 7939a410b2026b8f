/* check.h: checks of parameters and errors, for the kernels of CPUs and GPUs. Names without sluice_ stay inside
 * libsluice.so, because the version script exports no others. */
#ifndef SLUICE_CPU_CHECK_H
#define SLUICE_CPU_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "first.h"
#include "sluice.h"

/* apply_fail writes an error, if there is room for one, and returns its code. The message is "source: " and the format. */
sluice_status apply_fail(sluice_error *error, sluice_status code, const char *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* apply_check checks parameters that apply_take has copied, without reading an array: NULL, alignment, forms, strides,
 * overflow. Pointers may belong to another address space. source is the name of the call, for messages. */
sluice_status apply_check(const char *source, const sluice_apply_args *args, sluice_error *error);

/* apply_take copies a caller's struct of parameters into ours, which has `known` bytes. The caller's has at least
 * `first` bytes (first.h). Members that it lacks become zero; members that ours lacks must be zero. */
sluice_status apply_take(const char *source, const char *name, void *ours, size_t known, const void *given,
                         size_t first, sluice_error *error);

/* apply_element is the size of a logit, 0 for an unknown dtype. */
static inline size_t apply_element(uint32_t dtype) {
  return dtype == SLUICE_DTYPE_F32 ? 4 : dtype == SLUICE_DTYPE_F16 || dtype == SLUICE_DTYPE_BF16 ? 2 : 0;
}

/* apply_pattern is −inf: once for 32-bit logits, twice for 16-bit ones. */
static inline uint32_t apply_pattern(uint32_t dtype) {
  return dtype == SLUICE_DTYPE_F32 ? 0xFF800000u : dtype == SLUICE_DTYPE_F16 ? 0xFC00FC00u : 0xFF80FF80u;
}

/* apply_covered is the number of ids that the masks cover. */
static inline size_t apply_covered(const sluice_apply_args *args) {
  return args->covered != 0 ? args->covered : 32 * args->mask_words;
}

#endif /* SLUICE_CPU_CHECK_H */
