/* launch.c: from the caller's struct to a launch. Start reading at sluice_cuda_apply. */
#include <limits.h>
#include <string.h>

#include "../cpu/apply.h"
#include "driver.h"

/* The most rows that a grid has in its second dimension, each of which is a pair. */
static const size_t max_pairs = 65535;

/* Threads of a block. Small, so that a single row spreads over many multiprocessors. */
static const uint32_t block_threads = 128;

_Static_assert(sizeof(cuda_params) + sizeof(cuda_ids) <= 4096, "a launch carries at most so many bytes");

/* clamp is what the device compares numbers of rows with: those are int32_t there, so more makes no difference. */
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

/* tiles_of says how many tiles a warp takes. One, while the device has room for all warps at once: then nothing is
 * gained by fewer of them. Beyond, more words are asked for before the first is waited for. */
static uint32_t tiles_of(uint64_t pairs, uint32_t row_tiles, uint32_t multiprocessors) {
  const uint64_t room = (uint64_t)multiprocessors * 64; /* warps that reside on the device */
  uint64_t warps = pairs * row_tiles;
  uint32_t tiles = 1;
  while (tiles < CUDA_MAX_TILES && warps > 2 * room) {
    tiles *= 2;
    warps /= 2;
  }
  return tiles;
}

sluice_status cuda_launch(const cuda_driver *driver, const char *source, const cuda_loaded *loaded,
                          const sluice_apply_args *args, cuda_params *params, const int32_t *host_ids, cu_stream stream,
                          sluice_error *error) {
  const uint32_t row_tiles = (uint32_t)((args->vocab_size + CUDA_TILE_TOKENS - 1) / CUDA_TILE_TOKENS);
  const size_t step = host_ids != NULL ? CUDA_INLINE_IDS : max_pairs;
  const int which = (apply_element(args->dtype) == 2 ? CUDA_KERNEL_16 : 0) |
                    (args->token_map != NULL ? CUDA_KERNEL_MAPPED : 0) | (host_ids != NULL ? CUDA_KERNEL_IDS : 0);
  params->tiles = tiles_of(args->n, row_tiles, loaded->multiprocessors);
  const uint32_t warps = (row_tiles + params->tiles - 1) / params->tiles;
  const uint32_t blocks = (warps + block_threads / 32 - 1) / (block_threads / 32);

  for (size_t first = 0; first < args->n && row_tiles > 0; first += step) {
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
