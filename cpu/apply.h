/* apply.h: what the files of this directory share. Nothing here is seen outside libsluice.so: its symbols do not begin
 * with sluice_, which is what the version script exports. */
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

/* apply_check checks everything about the parameters, which apply_take has copied, that can be told without reading an
 * array: NULL, alignment, forms, strides, overflow. Pointers may be of another address space. source is the name of the
 * call, for messages. */
sluice_status apply_check(const char *source, const sluice_apply_args *args, sluice_error *error);

/* apply_take copies a caller's struct of parameters into one of ours, which has `known` bytes. The caller's has at
 * least `first` bytes (first.h): what it lacks is zero here, and what it has besides must be zero there. */
sluice_status apply_take(const char *source, const char *name, void *ours, size_t known, const void *given,
                         size_t first, sluice_error *error);

/* apply_element is the size of a logit, 0 for a dtype that there is not. */
static inline size_t apply_element(uint32_t dtype) {
  return dtype == SLUICE_DTYPE_F32 ? 4 : dtype == SLUICE_DTYPE_F16 || dtype == SLUICE_DTYPE_BF16 ? 2 : 0;
}

/* apply_pattern is −inf: once for 32-bit logits, twice for 16-bit ones. */
static inline uint32_t apply_pattern(uint32_t dtype) {
  return dtype == SLUICE_DTYPE_F32 ? 0xFF800000u : dtype == SLUICE_DTYPE_F16 ? 0xFC00FC00u : 0xFF80FF80u;
}

/* apply_covered is the number of ids that the masks speak of. */
static inline size_t apply_covered(const sluice_apply_args *args) {
  return args->covered != 0 ? args->covered : 32 * args->mask_words;
}

/* ---------------------------------------------------------------------------------------------- levels (level.c) ---- */

/* Where the bytes of a job are, judged by how many they are. It decides how they are best written. */
typedef enum apply_place {
  APPLY_CACHED, /* they fit into a core's own cache */
  APPLY_SHARED, /* into the cache that cores share */
  APPLY_MEMORY  /* into neither */
} apply_place;

/* apply_kernel: one way to write the two loops that everything is made of. Immutable. */
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

/* apply_machine: what was found out about this machine when the library was loaded. Immutable from then on. */
typedef struct apply_machine {
  uint32_t level;     /* the best SLUICE_CPU_* */
  size_t own_cache;   /* bytes of a core's second-level cache */
  size_t all_cache;   /* bytes of the last-level cache */
  bool string_stores; /* x86: rep stos writes whole lines without reading them first */
} apply_machine;

const apply_machine *apply_here(void);

/* apply_kernel_of returns the kernel of a level, NULL if this machine has not got it. */
const apply_kernel *apply_kernel_of(uint32_t level);

/* -------------------------------------------------------------------------------------------------- jobs (rows.c) ---- */

/* apply_job: a call whose parameters are right. */
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

/* apply_few tells whether a word has one or two bits, or none. */
static inline bool apply_few(uint32_t bits) {
  bits &= bits - 1;
  return (bits & (bits - 1)) == 0;
}

/* apply_bits is the specification, and what is left over for it: n logits meet the first n bits of mask. */
void apply_bits(void *logits, const uint32_t *mask, size_t n, uint32_t pattern, size_t element);

#endif /* SLUICE_CPU_APPLY_H */
