/* dlpack.c: sluice_apply_dlpack. It reads the tensors of a Python framework through the framework's function table. One
 * call from Python then replaces reading ten attributes and filling a struct.
 *
 * The declarations below follow the layout of DLPack 1, which is frozen within a major version. */
#include <stdbool.h>
#include <string.h>

#include "check.h"

typedef struct dl_tensor {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t type_code;
  uint8_t type_bits;
  uint16_t type_lanes;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: rows lie one after the other */
  uint64_t byte_offset;
} dl_tensor;

typedef struct dl_exchange {
  uint32_t major;
  uint32_t minor;
  struct dl_exchange *older;
  void *allocate;
  void *export_managed;
  void *import_managed;
  int (*describe)(void *object, dl_tensor *tensor);
  void *stream;
} dl_exchange;

enum { DL_CPU = 1, DL_CUDA_HOST = 3 };                     /* device types in memory that the CPU addresses */
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BF = 4 }; /* type codes */

/* matrix: one or two dimensions; the elements of a row are contiguous. */
typedef struct matrix {
  unsigned char *at;
  size_t rows, width, stride;
} matrix;

/* describe reads an object; false if it is not a matrix in CPU memory. */
static bool describe(const dl_exchange *exchange, void *object, dl_tensor *t, matrix *m) {
  memset(t, 0, sizeof *t);
  if (exchange->describe(object, t) != 0 || (t->device_type != DL_CPU && t->device_type != DL_CUDA_HOST) ||
      t->type_lanes != 1 || t->ndim < 1 || t->ndim > 2) {
    return false;
  }
  int last = t->ndim - 1;
  if (t->shape[last] < 0 || t->shape[0] < 0 || (t->strides != NULL && t->shape[last] > 1 && t->strides[last] != 1)) {
    return false;
  }
  m->at = (unsigned char *)t->data + t->byte_offset;
  m->width = (size_t)t->shape[last];
  m->rows = last == 0 ? 1 : (size_t)t->shape[0];
  m->stride = last == 0 || m->rows <= 1 || t->strides == NULL ? m->width : (size_t)t->strides[0];
  return true;
}

/* dtype_of returns SLUICE_DTYPE_*, 0 for other types. */
static uint32_t dtype_of(const dl_tensor *t) {
  if (t->type_code == DL_FLOAT) {
    return t->type_bits == 32 ? SLUICE_DTYPE_F32 : t->type_bits == 16 ? SLUICE_DTYPE_F16 : 0;
  }
  return t->type_code == DL_BF && t->type_bits == 16 ? SLUICE_DTYPE_BF16 : 0;
}

sluice_status sluice_apply_dlpack(const void *exchange, void *logits, void *masks) {
  const dl_exchange *e = exchange;
  while (e != NULL && e->major > 1) {
    e = e->older;
  }
  dl_tensor lt, mt;
  matrix l, m;
  if (e == NULL || e->major != 1 || !describe(e, logits, &lt, &l) || !describe(e, masks, &mt, &m) || l.rows != m.rows ||
      (mt.type_code != DL_INT && mt.type_code != DL_UINT) || mt.type_bits != 32) {
    return SLUICE_E_UNSUPPORTED;
  }
  sluice_apply_args args = {.struct_size = sizeof args,
                            .dtype = dtype_of(&lt),
                            .logits = l.at,
                            .n_logit_rows = l.rows,
                            .logit_stride = l.stride,
                            .vocab_size = l.width,
                            .masks = (const uint32_t *)(const void *)m.at,
                            .n_mask_rows = m.rows,
                            .mask_stride = m.stride,
                            .mask_words = m.width,
                            .n = l.rows};
  size_t bytes = 0;
  if (__builtin_mul_overflow(l.rows, l.width * apply_element(args.dtype), &bytes) || bytes > SLUICE_DLPACK_MOST) {
    return SLUICE_E_UNSUPPORTED;
  }
  return sluice_apply(&args, NULL) == SLUICE_OK ? SLUICE_OK : SLUICE_E_UNSUPPORTED;
}
