/* pool.c: makes and frees pools of masks, and gives out their handles. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cpu/check.h"

/* ------------------------------------------------------------------------------------------------------- handles ---- */

/* A handle is a tag (8 bits), a generation (32), an index (24), like those in capi/internal/handle, with small tags. */
static const uint64_t tag = (uint64_t)0x80 << 56;

static struct {
  pthread_mutex_t lock;
  pool *live[POOL_MAX];
  uint32_t generation[POOL_MAX];
} pools = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* hand_out gives a pool its handle; false if all are in use. */
static bool hand_out(pool *p) {
  bool found = false;
  pthread_mutex_lock(&pools.lock);
  for (uint32_t i = 0; i < POOL_MAX && !found; i++) {
    if (pools.live[i] == NULL) {
      found = true;
      p->handle = tag | (uint64_t)++pools.generation[i] << 24 | i;
      p->holders = 1;
      pools.live[i] = p;
    }
  }
  pthread_mutex_unlock(&pools.lock);
  return found;
}

/* look_up returns the live pool of a handle, or NULL. The caller holds the lock of all pools. */
static pool *look_up(sluice_cuda_pool handle) {
  const uint32_t index = handle & 0xFFFFFF;
  pool *p = index < POOL_MAX ? pools.live[index] : NULL;
  return p != NULL && p->handle == handle ? p : NULL;
}

pool *pool_hold(const char *source, sluice_cuda_pool handle, sluice_error *error) {
  pthread_mutex_lock(&pools.lock);
  pool *p = look_up(handle);
  if (p != NULL) {
    p->holders++;
  }
  pthread_mutex_unlock(&pools.lock);
  if (p == NULL) {
    apply_fail(error, SLUICE_E_HANDLE, source,
               handle == 0 ? "the pool's handle is 0, which is never valid: check the status of sluice_cuda_pool_new"
                           : "%#llx is no pool that is alive: it was freed, or never was one",
               (unsigned long long)handle);
  }
  return p;
}

/* ------------------------------------------------------------------------------------------------- memory, events ---- */

/* destroy frees a pool. A destroyed context has freed its memory already. */
static void destroy(const cuda_driver *driver, pool *p) {
  cuda_scope scope;
  if (cuda_enter_context(driver, "sluice_cuda_pool_free", p->context, &scope, NULL) == SLUICE_OK) {
    if (p->tail != NULL) {
      (void)driver->event_wait(p->tail);
      (void)driver->event_destroy(p->tail);
    }
    for (uint32_t i = 0; i < POOL_BATCHES; i++) {
      if (p->batches[i].copied != NULL) {
        (void)driver->event_destroy(p->batches[i].copied);
      }
    }
    if (p->memory != 0) {
      (void)driver->memory_free(p->memory);
    }
    if (p->staging != NULL) {
      (void)driver->pinned_free(p->staging);
    }
    cuda_leave(driver, &scope);
  }
  pthread_mutex_destroy(&p->lock);
  table_free(&p->table);
  for (uint32_t i = 0; i < POOL_TICKETS; i++) {
    free(p->tickets[i].slots);
  }
  free(p->pending);
  free(p);
}

void pool_drop(const cuda_driver *driver, pool *p) {
  pthread_mutex_lock(&pools.lock);
  bool last = --p->holders == 0;
  pthread_mutex_unlock(&pools.lock);
  if (last) {
    destroy(driver, p);
  }
}

/* allocate allocates the device memory and what copies to it need, in the current context. */
static sluice_status allocate(const cuda_driver *driver, const char *source, pool *p, sluice_error *error) {
  const size_t row = p->stride * sizeof(uint32_t);
  void *staging = NULL;
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED; /* this memory does not belong to another thread's capture */
  (void)driver->capture_mode(&mode);
  cu_result result = driver->memory_new(&p->memory, p->table.n * row);
  const cu_result pinned = result == CU_SUCCESS ? driver->pinned_new(&staging, p->staging_rows * row, 0) : CU_SUCCESS;
  (void)driver->capture_mode(&mode);
  p->staging = staging;
  CUDA_TRY("cuMemAlloc (the pool's slots)", result);
  CUDA_TRY("cuMemHostAlloc (the pool's staging rows)", pinned);
  CUDA_TRY("cuEventCreate", driver->event_create(&p->tail, CU_EVENT_DISABLE_TIMING));
  for (uint32_t i = 0; i < POOL_BATCHES; i++) {
    CUDA_TRY("cuEventCreate", driver->event_create(&p->batches[i].copied, CU_EVENT_DISABLE_TIMING));
  }
  return SLUICE_OK;
}

/* ------------------------------------------------------------------------------------------------------- the calls ---- */

static sluice_status check_options(const char *source, const sluice_cuda_pool_options *o, sluice_error *error) {
  if (o->reserved != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "options.reserved is %u, not 0", o->reserved);
  }
  if (o->mask_words == 0 || o->mask_words > POOL_MAX_WORDS) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "mask_words is %u: it is that of sluice_vocabulary_facts, between 1 and %d", o->mask_words,
                      POOL_MAX_WORDS);
  }
  if (o->slots > POOL_MAX_SLOTS || o->staging > POOL_MAX_SLOTS) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "slots is %u and staging %u: neither may be above %d", o->slots,
                      o->staging, POOL_MAX_SLOTS);
  }
  return SLUICE_OK;
}

/* default_slots is 1/64 of the memory of the current context's device, in masks, from 64 to 4096. With more slots, evicted
 * masks would not have been used for thousands of steps. */
static uint32_t default_slots(const cuda_driver *driver, size_t row) {
  cu_device device;
  size_t bytes = 0;
  if (driver->context_device(&device) != CU_SUCCESS || driver->device_memory(&bytes, device) != CU_SUCCESS) {
    return 64;
  }
  const size_t masks = bytes / 64 / row;
  return masks < 64 ? 64 : masks > 4096 ? 4096 : (uint32_t)masks;
}

/* make builds a pool in the current context. */
static sluice_status make(const cuda_driver *driver, const char *source, const sluice_cuda_pool_options *o,
                          cu_context context, sluice_cuda_pool *handle, sluice_error *error) {
  /* Slots begin at multiples of 128 bytes, the line of a device's cache. */
  const uint32_t stride = (o->mask_words + 31) / 32 * 32;
  const uint32_t slots = o->slots != 0 ? o->slots : default_slots(driver, stride * sizeof(uint32_t));
  const uint32_t staging = o->staging != 0 ? o->staging : slots < 256 ? slots : 256;
  pool *p = calloc(1, sizeof *p);
  uint64_t secret = 0;
  if (getentropy(&secret, sizeof secret) != 0) {
    secret = (uintptr_t)p; /* better than a constant; no mask depends on it */
  }
  if (p == NULL || !table_new(&p->table, slots, secret)) {
    free(p);
    return apply_fail(error, SLUICE_E_LIMIT, source, "there is no memory for the table of %u slots", slots);
  }
  pthread_mutex_init(&p->lock, NULL);
  p->context = context;
  p->words = o->mask_words;
  p->stride = stride;
  p->staging_rows = staging;
  p->pending = calloc(staging, sizeof p->pending[0]);
  sluice_status status = p->pending == NULL ? apply_fail(error, SLUICE_E_LIMIT, source,
                                                         "there is no memory for a list of %u rows", staging)
                                            : allocate(driver, source, p, error);
  if (status == SLUICE_OK && !hand_out(p)) {
    status = apply_fail(error, SLUICE_E_LIMIT, source, "%d pools are alive: free the ones you no longer use", POOL_MAX);
  }
  if (status != SLUICE_OK) {
    destroy(driver, p);
    return status;
  }
  *handle = p->handle;
  return SLUICE_OK;
}

sluice_status sluice_cuda_pool_new(const sluice_cuda_pool_options *given, sluice_cuda_pool *handle,
                                   sluice_error *error) {
  static const char source[] = "sluice_cuda_pool_new";
  const cuda_driver *driver;
  cuda_scope scope;
  cuda_loaded loaded;
  sluice_cuda_pool_options own;
  const sluice_cuda_pool_options *options = &own;
  if (given == NULL) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "options is NULL: mask_words has no default");
  }
  sluice_status status = apply_take(source, "options", &own, sizeof own, given, SLUICE_FIRST_POOL_OPTIONS, error);
  if (status == SLUICE_OK) {
    status = check_options(source, options, error);
  }
  if (status == SLUICE_OK && handle == NULL) {
    status = apply_fail(error, SLUICE_E_ARGUMENT, source, "pool is NULL: there is nowhere to put the handle");
  }
  if (status != SLUICE_OK || (status = cuda_find(source, &driver, error)) != SLUICE_OK ||
      (status = cuda_enter_device(driver, source, options->device, &scope, error)) != SLUICE_OK) {
    return status;
  }
  /* Loading the kernels now makes sure that the pool can be used. */
  status = cuda_kernels(driver, source, scope.context, &loaded, error);
  if (status == SLUICE_OK) {
    status = make(driver, source, options, scope.context, handle, error);
  }
  cuda_leave(driver, &scope);
  return status;
}

sluice_status sluice_cuda_pool_free(sluice_cuda_pool handle) {
  const cuda_driver *driver;
  sluice_status status = cuda_find("sluice_cuda_pool_free", &driver, NULL);
  if (status == SLUICE_E_UNAVAILABLE) {
    return SLUICE_E_HANDLE; /* without a driver there are no pools */
  }
  if (status != SLUICE_OK) {
    return status;
  }
  pthread_mutex_lock(&pools.lock);
  pool *p = look_up(handle);
  if (p != NULL) {
    pools.live[handle & 0xFFFFFF] = NULL;
  }
  pthread_mutex_unlock(&pools.lock);
  if (p == NULL) {
    return SLUICE_E_HANDLE;
  }
  pool_drop(driver, p);
  return SLUICE_OK;
}

sluice_status sluice_cuda_pool_info(sluice_cuda_pool handle, sluice_cuda_pool_facts *facts, sluice_error *error) {
  static const char source[] = "sluice_cuda_pool_info";
  const cuda_driver *driver;
  if (facts == NULL || facts->struct_size < SLUICE_FIRST_POOL_FACTS || facts->struct_size > 4096 ||
      facts->struct_size % SLUICE_WORD != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "facts is NULL, or its struct_size is not sizeof facts: set it before the call");
  }
  sluice_status status = cuda_find(source, &driver, error);
  if (status != SLUICE_OK) {
    return status;
  }
  pool *p = pool_hold(source, handle, error);
  if (p == NULL) {
    return SLUICE_E_HANDLE;
  }
  pthread_mutex_lock(&p->lock);
  const uint32_t size = facts->struct_size;
  sluice_cuda_pool_facts f = p->done;
  f.struct_size = size;
  f.mask_words = p->words;
  f.slots = p->table.n;
  f.resident = p->table.used;
  f.open_tickets = p->n_tickets;
  f.staging = p->staging_rows;
  f.device_bytes = (uint64_t)p->table.n * p->stride * sizeof(uint32_t);
  memcpy(facts, &f, size < sizeof f ? size : sizeof f);
  pthread_mutex_unlock(&p->lock);
  pool_drop(driver, p);
  return SLUICE_OK;
}
