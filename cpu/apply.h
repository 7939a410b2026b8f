/* apply.h: declarations that the files of this directory share. They stay inside libsluice.so, because the version
 * script exports only symbols that begin with sluice_. */
#ifndef SLUICE_CPU_APPLY_H
#define SLUICE_CPU_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "first.h"
#include "sluice.h"

/* ------------------------------------------------------------------------------------ ------- checks (check.c) ---- */

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

/* ---------------------------------------------------------------------------------------------- levels (level.c) ---- */

/* Where the bytes of a job are, estimated from their number. It decides how a kernel writes them. */
typedef enum apply_place {
  APPLY_CACHED, /* they fit a core's own cache */
  APPLY_SHARED, /* they fit the cache that cores share */
  APPLY_MEMORY  /* they fit neither */
} apply_place;

/* apply_kernel: one implementation of the inner loops. Immutable. */
typedef struct apply_kernel {
  /* words32, words16: logit 32i + j becomes pattern where bit j of mask[i] is 0, for i below n. */
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

/* apply_machine: the properties of this machine, read when the library is loaded. Immutable from then on. */
typedef struct apply_machine {
  uint32_t level;     /* the best SLUICE_CPU_* */
  size_t own_cache;   /* bytes of a core's second-level cache */
  size_t all_cache;   /* bytes of the last-level cache */
  bool string_stores; /* x86: rep stos writes whole lines without reading them first */
} apply_machine;

const apply_machine *apply_here(void);

/* apply_kernel_of returns the kernel of a level, NULL if this machine cannot run it. */
const apply_kernel *apply_kernel_of(uint32_t level);

/* -------------------------------------------------------------------------------------------------- jobs (rows.c) ---- */

/* apply_job: a call with checked parameters. */
typedef struct apply_job {
  const sluice_apply_args *args;
  const apply_kernel *kernel;
  size_t element;
  size_t covered;
  uint32_t pattern;
  apply_place place;
} apply_job;

/* apply_pairs applies pairs first … last - 1. */
void apply_pairs(const apply_job *job, size_t first, size_t last);

/* apply_threads applies all pairs on as many threads as the arguments and the work allow. */
void apply_threads(const apply_job *job);

/* apply_few returns whether a word has at most two bits. */
static inline bool apply_few(uint32_t bits) {
  bits &= bits - 1;
  return (bits & (bits - 1)) == 0;
}

/* apply_bits is the specification, and serves the ends of rows: it applies the first n bits of mask to n logits. */
void apply_bits(void *logits, const uint32_t *mask, size_t n, uint32_t pattern, size_t element);

#endif /* SLUICE_CPU_APPLY_H */
