/* launch.c: from the caller's struct to a launch. Start reading at sluice_cuda_apply. */
#include <limits.h>
#include <string.h>

#include "../cpu/check.h"
#include "driver.h"

/* The most rows that a grid has in its second dimension, each of which is a pair. */
static const size_t max_pairs = 65535;

/* Threads of a block. PERF: 128 and 512 are no better for batches of any size, and worse for one row. */
static const uint32_t block_threads = 256;

_Static_assert(sizeof(cuda_params) + sizeof(cuda_ids) <= 4096, "a launch carries at most so many bytes");

/* clamp bounds a number of rows for the device, whose row numbers are int32_t. */
static uint32_t clamp(size_t n) { return n > INT32_MAX ? (uint32_t)INT32_MAX + 1 : (uint32_t)n; }

void cuda_params_of(const sluice_apply_args *args, cuda_params *params) {
  *params = (cuda_params){
      .logits = args->logits,
      .logit_rows = args->logit_rows,
      .masks = args->masks,
      .mask_rows = args->mask_rows,
      .logit_index = args->logit_index,
      .mask_index = args->mask_index,
      .enabled = args->enabled,
      .token_map = args->token_map,
      .logit_stride = args->logit_stride,
      .mask_stride = args->mask_stride,
      .n_logit_rows = clamp(args->n_logit_rows),
      .n_mask_rows = clamp(args->n_mask_rows),
      .vocab = (uint32_t)args->vocab_size,
      .covered = (uint32_t)apply_covered(args),
      .negative_infinity = apply_pattern(args->dtype),
      .flags = ((args->flags & SLUICE_APPLY_KEEP_BEYOND) != 0 ? CUDA_KEEP_BEYOND : 0) |
               ((args->flags & SLUICE_APPLY_MAP_OFFSETS) != 0 ? CUDA_MAP_OFFSETS : 0),
  };
}

sluice_status cuda_check(const char *source, const sluice_apply_args *args, sluice_error *error) {
  sluice_status status = apply_check(source, args, error);
  if (status != SLUICE_OK) {
    return status;
  }
  if (args->threads != 0 || args->level != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "threads is %u and level %u: they are for the CPU and must be 0 for a device", args->threads,
                      args->level);
  }
  if (args->n > INT32_MAX) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "n is %zu, one call takes at most %d pairs", args->n,
                      INT32_MAX);
  }
  return SLUICE_OK;
}

cu_address cuda_address_of(const sluice_apply_args *args) {
  return args->logit_rows != NULL ? (cu_address)args->logit_rows : (cu_address)args->logits;
}

/* in_order returns whether mask k belongs to row k and strides alone give their addresses. */
static bool in_order(const cuda_params *p, const int32_t *host_ids) {
  return p->logit_rows == NULL && p->mask_rows == NULL && p->logit_index == NULL && p->mask_index == NULL &&
         p->enabled == NULL && p->ids == NULL && host_ids == NULL;
}

/* tile_words returns the number of mask words of a warp: few, as long as that spreads a small batch over the device (16
 * warps for each multiprocessor).
 * PERF: on an H200, one row that allows 100 tokens takes 1.56 us with tiles of 8 words and 2.05 with tiles of 32; 256 rows
 * take 25.1 and 23.7. A warp that takes several tiles is slower wherever a mask forbids anything. */
static uint32_t tile_words(uint64_t pairs, uint64_t words, uint64_t multiprocessors) {
  uint32_t size = CUDA_MOST_TILE;
  while (size > CUDA_LEAST_TILE && 2 * pairs * words <= 16 * multiprocessors * size) {
    size /= 2;
  }
  return size;
}

sluice_status cuda_launch(const cuda_driver *driver, const char *source, const cuda_loaded *loaded,
                          const sluice_apply_args *args, cuda_params *params, const int32_t *host_ids, cu_stream stream,
                          sluice_error *error) {
  const size_t step = host_ids != NULL ? CUDA_INLINE_IDS : max_pairs;
  const int which = (apply_element(args->dtype) == 2 ? CUDA_KERNEL_16 : 0) |
                    (args->token_map != NULL ? CUDA_KERNEL_MAPPED : 0) | (host_ids != NULL ? CUDA_KERNEL_IDS : 0);
  const uint32_t words = (uint32_t)((args->vocab_size + 31) / 32);
  if (in_order(params, host_ids)) {
    params->flags |= CUDA_IN_ORDER;
  }
  params->tile_words = tile_words(args->n, words, loaded->multiprocessors);
  const uint32_t block_words = params->tile_words * (block_threads / 32);
  const uint32_t blocks = (words + block_words - 1) / block_words;

  for (size_t first = 0; first < args->n && args->vocab_size > 0; first += step) {
    const size_t pairs = args->n - first < step ? args->n - first : step;
    cuda_ids ids;
    params->first = (uint32_t)first;
    if (host_ids != NULL) {
      memcpy(ids.id, host_ids + first, pairs * sizeof ids.id[0]);
      memset(ids.id + pairs, 0, sizeof ids - pairs * sizeof ids.id[0]);
    }
    void *parameters[] = {params, &ids};
    CUDA_TRY("cuLaunchKernel", driver->launch(loaded->kernel[which], blocks, (unsigned)pairs, 1, block_threads, 1, 1, 0,
                                              stream, parameters, NULL));
  }
  return SLUICE_OK;
}

sluice_status sluice_cuda_prepare(int32_t device, sluice_error *error) {
  static const char source[] = "sluice_cuda_prepare";
  const cuda_driver *driver;
  cuda_scope scope;
  cuda_loaded loaded;
  sluice_status status = cuda_find(source, &driver, error);
  if (status != SLUICE_OK || (status = cuda_enter_device(driver, source, device, &scope, error)) != SLUICE_OK) {
    return status;
  }
  status = cuda_kernels(driver, source, scope.context, &loaded, error);
  cuda_leave(driver, &scope);
  return status;
}

sluice_status sluice_cuda_apply(const sluice_apply_args *given, void *stream, sluice_error *error) {
  static const char source[] = "sluice_cuda_apply";
  sluice_apply_args own;
  const sluice_apply_args *args = &own;
  sluice_status status = apply_take(source, "args", &own, sizeof own, given, SLUICE_FIRST_APPLY_ARGS, error);
  const cuda_driver *driver;
  if (status != SLUICE_OK || (status = cuda_check(source, args, error)) != SLUICE_OK ||
      (status = cuda_find(source, &driver, error)) != SLUICE_OK) {
    return status;
  }
  if (args->n == 0 || args->vocab_size == 0) {
    return SLUICE_OK;
  }
  cuda_scope scope;
  status = cuda_enter(driver, source, stream, cuda_address_of(args), &scope, error);
  if (status != SLUICE_OK) {
    return status;
  }
  cuda_loaded loaded;
  status = cuda_kernels(driver, source, scope.context, &loaded, error);
  if (status == SLUICE_OK) {
    cuda_params params;
    cuda_params_of(args, &params);
    status = cuda_launch(driver, source, &loaded, args, &params, NULL, stream, error);
  }
  cuda_leave(driver, &scope);
  return status;
}
