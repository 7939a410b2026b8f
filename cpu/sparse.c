/* sparse.c: sluice_apply_sparse. A mask meets candidates, which are ids with their logits in any order. */
#include <string.h>

#include "apply.h"

static const char source[] = "sluice_apply_sparse";

#define REFUSE(...) return apply_fail(error, SLUICE_E_ARGUMENT, source, __VA_ARGS__)

/* check_column checks one of the two arrays of candidates: where it is, and how far its elements are apart. */
static sluice_status check_column(const char *name, const void *at, size_t step, size_t n, size_t element,
                                  sluice_error *error) {
  if (at == NULL && n > 0) {
    REFUSE("%s is NULL", name);
  }
  if ((uintptr_t)at % element != 0 || step % element != 0) {
    REFUSE("%s at %p, %zu bytes apart, are not aligned to %zu bytes, their size", name, at, step, element);
  }
  if (n > 1 && step < element) {
    REFUSE("%s are %zu bytes apart and have %zu bytes each: they may not overlap", name, step, element);
  }
  if (n > 0 && step > 0 && n > (size_t)PTRDIFF_MAX / step) {
    REFUSE("%zu %s, %zu bytes apart, are more than fit into memory", n, name, step);
  }
  return SLUICE_OK;
}

static sluice_status check(const sluice_sparse_args *a, sluice_error *error) {
  if (a == NULL) {
    REFUSE("args is NULL");
  }
  sluice_status status = apply_check_struct(source, "args", a, a->struct_size, sizeof *a, error);
  if (status != SLUICE_OK) {
    return status;
  }
  size_t element = apply_element(a->dtype);
  if (element == 0) {
    REFUSE("dtype is %u, not one of SLUICE_DTYPE_*", a->dtype);
  }
  if ((a->flags & ~(uint32_t)SLUICE_APPLY_KEEP_BEYOND) != 0 || a->reserved != 0) {
    REFUSE("flags is %#x and reserved is %u: SLUICE_APPLY_KEEP_BEYOND is the only flag here", a->flags, a->reserved);
  }
  if ((a->mask == NULL && a->mask_words > 0) || (uintptr_t)a->mask % sizeof(uint32_t) != 0) {
    REFUSE("mask is %p: give the address of %zu words", (const void *)a->mask, a->mask_words);
  }
  if (a->mask_words > (size_t)INT32_MAX / 32 + 1 || a->covered > 32 * a->mask_words) {
    REFUSE("covered is %zu, mask_words is %zu: a word speaks of 32 ids", a->covered, a->mask_words);
  }
  if ((status = check_column("ids", a->ids, a->id_step, a->n, sizeof(int32_t), error)) != SLUICE_OK) {
    return status;
  }
  return check_column("logits", a->logits, a->logit_step, a->n, element, error);
}

sluice_status sluice_apply_sparse(const sluice_sparse_args *a, size_t *kept, sluice_error *error) {
  sluice_status status = check(a, error);
  if (status != SLUICE_OK) {
    return status;
  }
  const unsigned char *id_at = (const unsigned char *)a->ids;
  unsigned char *logit_at = a->logits;
  size_t covered = a->covered != 0 ? a->covered : 32 * a->mask_words;
  bool wide = apply_element(a->dtype) == 4;
  bool beyond = (a->flags & SLUICE_APPLY_KEEP_BEYOND) != 0;
  uint32_t pattern = apply_pattern(a->dtype);
  size_t stays = 0;
  for (size_t i = 0; i < a->n; i++) {
    int32_t id = *(const int32_t *)(const void *)(id_at + i * a->id_step);
    bool inside = id >= 0 && (size_t)id < covered;
    bool keep = inside ? (a->mask[id / 32] >> (id % 32) & 1) != 0 : beyond;
    stays += keep;
    /* Every logit is written: candidates come in the order of their logits, which no branch can predict. */
    if (wide) {
      uint32_t *logit = (uint32_t *)(void *)(logit_at + i * a->logit_step);
      *logit = keep ? *logit : pattern;
    } else {
      uint16_t *logit = (uint16_t *)(void *)(logit_at + i * a->logit_step);
      *logit = keep ? *logit : (uint16_t)pattern;
    }
  }
  if (kept != NULL) {
    *kept = stays;
  }
  return SLUICE_OK;
}
