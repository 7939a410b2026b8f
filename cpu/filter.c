/* filter.c: sluice_mask_filter forbids or allows tokens on top of a mask, for any constraint. */
#include <string.h>

#include "check.h"

static const char source[] = "sluice_mask_filter";

#define REFUSE(...) return apply_fail(error, SLUICE_E_ARGUMENT, source, __VA_ARGS__)

sluice_status sluice_mask_filter(uint32_t *row, size_t words, const int32_t *ids, size_t n, uint32_t flags,
                                 sluice_error *error) {
  const uint32_t known = SLUICE_FILTER_ALLOW | SLUICE_FILTER_RESET;
  if ((flags & ~known) != 0) {
    REFUSE("flags is %#x: only SLUICE_FILTER_ALLOW and SLUICE_FILTER_RESET exist", flags);
  }
  if ((row == NULL && words > 0) || (uintptr_t)row % sizeof *row != 0 || words > (size_t)INT32_MAX / 32 + 1) {
    REFUSE("row is %p: give the address of %zu words", (const void *)row, words);
  }
  if ((ids == NULL && n > 0) || (uintptr_t)ids % sizeof *ids != 0) {
    REFUSE("ids is %p: give the address of %zu ids", (const void *)ids, n);
  }
  if (n > (size_t)PTRDIFF_MAX / sizeof *ids) {
    REFUSE("n is %zu: so many ids do not fit into memory", n);
  }
  for (size_t i = 0; i < n; i++) {
    if (ids[i] < 0 || (size_t)ids[i] / 32 >= words) {
      REFUSE("ids[%zu] is %d, which a row of %zu words does not cover", i, ids[i], words);
    }
  }
  const int allow = (flags & SLUICE_FILTER_ALLOW) != 0;
  if ((flags & SLUICE_FILTER_RESET) != 0) {
    memset(row, allow ? 0 : 0xFF, words * sizeof *row);
  }
  for (size_t i = 0; i < n; i++) {
    const uint32_t bit = 1u << (ids[i] % 32);
    row[ids[i] / 32] = allow ? row[ids[i] / 32] | bit : row[ids[i] / 32] & ~bit;
  }
  return SLUICE_OK;
}
