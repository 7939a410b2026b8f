/* check.c: checks the parameters of a call and writes its error. It reads no arrays, so that the same checks serve logits
 * and masks on a device. */
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

/* Token ids are int32_t, which bounds rows of logits and masks. */
static const size_t max_ids = INT32_MAX;

/* text copies a text into a member of sluice_error and returns its whole length. */
static uint32_t text(char *to, size_t room, const char *from) {
  size_t length = strlen(from);
  size_t n = length < room - 1 ? length : room - 1;
  memcpy(to, from, n);
  to[n] = 0;
  return (uint32_t)length;
}

sluice_status apply_fail(sluice_error *error, sluice_status code, const char *source, const char *format, ...) {
  if (error == NULL || error->struct_size < SLUICE_FIRST_ERROR) {
    return code;
  }
  const uint32_t size = error->struct_size;
  sluice_error e = {.struct_size = size, .code = code};
  char said[sizeof e.message];
  va_list values;
  va_start(values, format);
  vsnprintf(said, sizeof said, format, values);
  va_end(values);
  char whole[sizeof e.message + sizeof e.source];
  snprintf(whole, sizeof whole, "%s: %s", source, said);
  e.source_length = text(e.source, sizeof e.source, source);
  e.message_length = text(e.message, sizeof e.message, whole);
  memcpy(error, &e, size < sizeof e ? size : sizeof e);
  return code;
}

#define REFUSE(...) return apply_fail(error, SLUICE_E_ARGUMENT, source, __VA_ARGS__)

sluice_status apply_take(const char *source, const char *name, void *ours, size_t known, const void *given,
                         size_t first, sluice_error *error) {
  if (given == NULL) {
    REFUSE("%s is NULL", name);
  }
  uint32_t got;
  memcpy(&got, given, sizeof got);
  if (got < first) {
    REFUSE("%s.struct_size is %u, and the smallest version has %zu bytes: set it to sizeof before the call", name, got,
           first);
  }
  if (got > 4096 || got % SLUICE_WORD != 0) {
    REFUSE("%s.struct_size is %u, which no version of the struct has: set it to sizeof before the call", name, got);
  }
  for (size_t i = known; i < got; i++) {
    if (((const unsigned char *)given)[i] != 0) {
      REFUSE("%s has members that this library, version %s, does not know: leave them zero or update the library", name,
             SLUICE_VERSION);
    }
  }
  const uint32_t size = (uint32_t)known;
  memset(ours, 0, known);
  memcpy(ours, given, got < known ? got : known);
  memcpy(ours, &size, sizeof size);
  return SLUICE_OK;
}

/* aligned returns whether an address is a multiple of size. */
static bool aligned(const void *at, size_t size) { return (uintptr_t)at % size == 0; }

/* check_array checks an array of n elements, which may be absent. */
static sluice_status check_array(const char *source, const char *name, const void *at, size_t n, size_t element,
                                 sluice_error *error) {
  if (at != NULL && !aligned(at, element)) {
    REFUSE("%s is at %p, which is not a multiple of %zu, the size of its elements", name, at, element);
  }
  if (n > (size_t)PTRDIFF_MAX / element) {
    REFUSE("%s would have %zu elements, more than fit into memory", name, n);
  }
  return SLUICE_OK;
}

/* rows: one of the two sides, logits or masks. */
typedef struct rows {
  const char *name;
  const void *first;    /* the address of evenly spaced rows, */
  const void *pointers; /* or the addresses of all rows */
  size_t count;
  size_t stride;
  size_t width;
  size_t element;
  bool repeats; /* a stride of 0 is allowed */
} rows;

static sluice_status check_rows(const char *source, const rows *r, sluice_error *error) {
  if (r->pointers != NULL) {
    if (r->first != NULL) {
      REFUSE("%ss and %s_rows are both given: pass one, for evenly spaced rows or for pointers to rows", r->name,
             r->name);
    }
    if (r->width > (size_t)PTRDIFF_MAX / r->element) {
      REFUSE("a row of %ss would have %zu elements, more than fit into memory", r->name, r->width);
    }
    return check_array(source, r->name, r->pointers, r->count, sizeof(void *), error);
  }
  if (r->first == NULL) {
    if (r->count == 0 || r->width == 0) {
      return SLUICE_OK;
    }
    REFUSE("%ss is NULL: give the address of row 0, or %s_rows", r->name, r->name);
  }
  if (!aligned(r->first, r->element)) {
    REFUSE("%ss is at %p, which is not a multiple of %zu, the size of its elements", r->name, r->first, r->element);
  }
  if (r->count > 1 && r->stride < r->width && !(r->repeats && r->stride == 0)) {
    REFUSE("%s_stride is %zu, rows have %zu elements: rows may not overlap", r->name, r->stride, r->width);
  }
  size_t extent = 0;
  if (r->count > 0 &&
      (__builtin_mul_overflow(r->count - 1, r->stride, &extent) || __builtin_add_overflow(extent, r->width, &extent) ||
       extent > (size_t)PTRDIFF_MAX / r->element)) {
    REFUSE("%zu rows of %ss, %zu elements apart, are more than fit into memory", r->count, r->name, r->stride);
  }
  return SLUICE_OK;
}

/* check_pairs checks the number of pairs and the arrays that name their rows. */
static sluice_status check_pairs(const char *source, const sluice_apply_args *a, sluice_error *error) {
  if (a->logit_index == NULL && a->n > a->n_logit_rows) {
    REFUSE("n is %zu, there are %zu rows of logits: name the rows in logit_index, or lower n", a->n, a->n_logit_rows);
  }
  if (a->mask_index == NULL && a->n > a->n_mask_rows) {
    REFUSE(
        "n is %zu, there are %zu rows of masks: name the rows in mask_index, lower n, or set mask_stride to 0 for one "
        "mask for all rows",
        a->n, a->n_mask_rows);
  }
  const struct {
    const char *name;
    const void *at;
    size_t n;
  } arrays[] = {{"logit_index", a->logit_index, a->n},
                {"mask_index", a->mask_index, a->n},
                {"enabled", a->enabled, a->n},
                {"token_map", a->token_map, a->vocab_size}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    sluice_status status = check_array(source, arrays[i].name, arrays[i].at, arrays[i].n, sizeof(int32_t), error);
    if (status != SLUICE_OK) {
      return status;
    }
  }
  return SLUICE_OK;
}

sluice_status apply_check(const char *source, const sluice_apply_args *a, sluice_error *error) {
  sluice_status status;
  size_t element = apply_element(a->dtype);
  if (element == 0) {
    REFUSE("dtype is %u, not one of SLUICE_DTYPE_*", a->dtype);
  }
  if ((a->flags & ~(uint32_t)(SLUICE_APPLY_KEEP_BEYOND | SLUICE_APPLY_MAP_OFFSETS)) != 0) {
    REFUSE("flags is %#x, which has bits that are not SLUICE_APPLY_*", a->flags);
  }
  if (a->reserved != 0) {
    REFUSE("reserved is %u, not 0", a->reserved);
  }
  if (a->vocab_size > max_ids) {
    REFUSE("vocab_size is %zu, token ids end at %zu", a->vocab_size, max_ids);
  }
  if (a->mask_words > max_ids / 32 + 1) {
    REFUSE("mask_words is %zu, token ids end at %zu", a->mask_words, max_ids);
  }
  if (a->covered > 32 * a->mask_words) {
    REFUSE("covered is %zu, a mask of %zu words covers %zu ids", a->covered, a->mask_words, 32 * a->mask_words);
  }
  const rows logits = {"logit",         a->logits,     a->logit_rows, a->n_logit_rows,
                       a->logit_stride, a->vocab_size, element,       false};
  const rows masks = {"mask",         a->masks,      a->mask_rows,     a->n_mask_rows,
                      a->mask_stride, a->mask_words, sizeof(uint32_t), true};
  if ((status = check_rows(source, &logits, error)) != SLUICE_OK ||
      (status = check_rows(source, &masks, error)) != SLUICE_OK) {
    return status;
  }
  return check_pairs(source, a, error);
}
