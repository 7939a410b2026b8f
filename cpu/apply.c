/* apply.c: sluice_apply. It checks all arrays before it writes anything, then applies the pairs. */
#include <string.h>

#include "check.h"
#include "job.h"
#include "level.h"
#include "machine.h"

static const char source[] = "sluice_apply";

#define REFUSE(...) return apply_fail(error, SLUICE_E_ARGUMENT, source, __VA_ARGS__)

/* check_indices checks row numbers. lowest is -1 if that number means "none". */
static sluice_status check_indices(const char *name, const int32_t *index, size_t n, size_t rows, int32_t lowest,
                                   sluice_error *error) {
  for (size_t i = 0; index != NULL && i < n; i++) {
    if (index[i] < lowest || (index[i] >= 0 && (size_t)index[i] >= rows)) {
      REFUSE("%s[%zu] is %d, there are %zu rows", name, i, (int)index[i], rows);
    }
  }
  return SLUICE_OK;
}

/* check_pointers checks the addresses of rows. */
static sluice_status check_pointers(const char *name, const void *const *at, size_t n, size_t element,
                                    sluice_error *error) {
  for (size_t i = 0; at != NULL && i < n; i++) {
    if ((uintptr_t)at[i] % element != 0) {
      REFUSE("%s_rows[%zu] is %p, which is not a multiple of %zu, the size of its elements", name, i, at[i], element);
    }
  }
  return SLUICE_OK;
}

/* place_of estimates the memory that holds the logits of a call.
 * PERF: it counts on a quarter of the shared cache. Computing the logits has touched as many bytes or more, and other
 * cores use the cache too. New logits of half its size are mostly in memory (README.md). */
static apply_place place_of(size_t bytes) {
  const apply_machine *here = apply_here();
  if (bytes <= here->own_cache) {
    return APPLY_CACHED;
  }
  return bytes <= here->all_cache / 4 ? APPLY_SHARED : APPLY_MEMORY;
}

sluice_status sluice_apply(const sluice_apply_args *args, sluice_error *error) {
  sluice_apply_args own;
  const sluice_apply_args *a = &own;
  sluice_status status = apply_take(source, "args", &own, sizeof own, args, SLUICE_FIRST_APPLY_ARGS, error);
  if (status != SLUICE_OK || (status = apply_check(source, a, error)) != SLUICE_OK) {
    return status;
  }
  if (a->level > SLUICE_CPU_NEON) {
    REFUSE("level is %u, not one of SLUICE_CPU_*", a->level);
  }
  apply_job job = {.args = a,
                   .kernel = apply_kernel_of(a->level),
                   .element = apply_element(a->dtype),
                   .covered = apply_covered(a),
                   .pattern = apply_pattern(a->dtype)};
  if (job.kernel == NULL) {
    return apply_fail(error, SLUICE_E_UNAVAILABLE, source, "this machine cannot run level %u; its best is %u", a->level,
                      apply_here()->level);
  }
  if ((status = check_indices("logit_index", a->logit_index, a->n, a->n_logit_rows, 0, error)) != SLUICE_OK ||
      (status = check_indices("mask_index", a->mask_index, a->n, a->n_mask_rows, -1, error)) != SLUICE_OK ||
      (status = check_pointers("logit", (const void *const *)a->logit_rows, a->n_logit_rows, job.element, error)) !=
          SLUICE_OK ||
      (status = check_pointers("mask", (const void *const *)a->mask_rows, a->n_mask_rows, sizeof(uint32_t), error)) !=
          SLUICE_OK) {
    return status;
  }
  size_t row = a->vocab_size * job.element, bytes = 0;
  if (job.kernel != &apply_generic) { /* the specification ignores the place */
    job.place = __builtin_mul_overflow(a->n, row, &bytes) ? APPLY_MEMORY : place_of(bytes);
  }
  if (a->threads <= 1) {
    apply_pairs(&job, 0, a->n);
  } else {
    apply_threads(&job);
  }
  return SLUICE_OK;
}
