/* params.h: the parameters that the host passes to the kernels by value, in one struct. C (launch.c), NVRTC (apply.cu) and
 * C++ (tests) read it. So it has fixed sizes, no header that NVRTC lacks, and a layout that no compiler changes.
 *
 * Every pointer is a device address. Start reading at cuda_params. */
#ifndef SLUICE_CUDA_PARAMS_H
#define SLUICE_CUDA_PARAMS_H

#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#else
#include <stdint.h>
#endif

/* Bits of cuda_params.flags. */
enum {
  CUDA_KEEP_BEYOND = 1, /* as SLUICE_APPLY_KEEP_BEYOND */
  CUDA_MAP_OFFSETS = 2, /* as SLUICE_APPLY_MAP_OFFSETS */
  CUDA_IN_ORDER = 4     /* mask k belongs to row k, and strides give both addresses */
};

/* Ids of pairs. From 0 on an id is the pool's slot that holds the mask. */
enum {
  CUDA_ID_ROW = -1,  /* the mask is the pair's row in masks or mask_rows */
  CUDA_ID_NONE = -2, /* skip the pair */
};

/* The shape of the work, which launch.c and the kernels must agree on. */
enum {
  CUDA_LEAST_TILE = 8,   /* words of a tile at least: as many as 32 stores of 16 bytes cover with 16-bit logits */
  CUDA_MOST_TILE = 32,   /* and at most: one a lane */
  CUDA_SPARSE = 8,       /* the most tokens that a word may forbid for apply_sparse */
  CUDA_INLINE_IDS = 896, /* ids that fit beside cuda_params into the 4,096 bytes of a launch */
};

/* cuda_params: one launch. The members that every launch needs come first. */
typedef struct cuda_params {
  void *logits;
  const uint32_t *masks;
  uint64_t logit_stride; /* in logits */
  uint64_t mask_stride;  /* in words */
  uint32_t n_logit_rows;
  uint32_t n_mask_rows;
  uint32_t first; /* the pair of the grid's first row; each row of the grid is one pair */
  uint32_t vocab; /* logits in a row */
  uint32_t covered;
  uint32_t negative_infinity; /* its bits, twice for 16-bit logits */
  uint32_t flags;
  uint32_t tile_words; /* mask words of a warp's tile: CUDA_LEAST_TILE, twice that, or CUDA_MOST_TILE */

  void *const *logit_rows;          /* instead of logits */
  const uint32_t *const *mask_rows; /* instead of masks */
  const int32_t *ids;               /* NULL: no pair has one, or they are the kernel's second parameter */
  const int32_t *logit_index;
  const int32_t *mask_index;
  const int32_t *enabled;
  const int32_t *token_map;
  const uint32_t *pool; /* the first word of slot 0 */
  uint64_t pool_stride; /* in words */
  uint32_t n_slots;
  uint32_t reserved;
} cuda_params;

/* cuda_ids: ids that travel with the launch and need no memory on the device. */
typedef struct cuda_ids {
  int32_t id[CUDA_INLINE_IDS];
} cuda_ids;

#endif /* SLUICE_CUDA_PARAMS_H */
