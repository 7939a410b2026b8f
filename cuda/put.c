/* put.c: makes masks resident, applies them to logits, and releases them. Start reading at sluice_cuda_pool_put. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/check.h"
#include "pool.h"

/* ------------------------------------------------------------------------------------------------------- tickets ---- */

/* find_ticket returns an open ticket, or NULL. For number 0 it returns a place for a new one. */
static pool_ticket *find_ticket(pool *p, uint64_t number) {
  for (uint32_t i = 0; i < POOL_TICKETS; i++) {
    if (p->tickets[i].number == number) {
      return &p->tickets[i];
    }
  }
  return NULL;
}

/* shorten releases a ticket's masks beyond its first n.
 * PERF: it releases the first one first. Masks that came together are in neighbouring slots, which are then replaced in
 * order, so that one copy serves them all. 256 new masks take 340 to 450 us in a full pool, and 600 us if the last is
 * released first. */
static void shorten(pool *p, pool_ticket *ticket, uint32_t n) {
  for (uint32_t i = n; i < ticket->n; i++) {
    table_release(&p->table, ticket->slots[i]);
  }
  ticket->n = n;
}

static void close_ticket(pool *p, pool_ticket *ticket) {
  shorten(p, ticket, 0);
  ticket->number = 0;
  p->n_tickets--;
}

/* make_room makes room for n more masks in a ticket; false if there is no memory. */
static bool make_room(pool_ticket *ticket, size_t n) {
  const size_t need = ticket->n + n;
  if (need > ticket->room) {
    uint32_t *grown = need <= INT32_MAX ? realloc(ticket->slots, 2 * need * sizeof *grown) : NULL;
    if (grown == NULL) {
      return false;
    }
    ticket->slots = grown;
    ticket->room = (uint32_t)(2 * need);
  }
  return true;
}

static sluice_status not_open(const char *source, uint64_t ticket, sluice_error *error) {
  return apply_fail(error, SLUICE_E_ARGUMENT, source,
                    "ticket %llu is not open: it was used, or is of another pool, and its masks may be gone",
                    (unsigned long long)ticket);
}

/* --------------------------------------------------------------------------------------------- order on the device ---- */

/* refuse_capture refuses a stream that is being captured; way_out says what to do instead. */
static sluice_status refuse_capture(const cuda_driver *driver, const char *source, cu_stream stream,
                                    const char *way_out, sluice_error *error) {
  int capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  CUDA_TRY("cuStreamIsCapturing", driver->stream_capturing(stream, &capturing));
  if (capturing != CU_STREAM_CAPTURE_STATUS_NONE) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "the stream is being captured into a graph: %s", way_out);
  }
  return SLUICE_OK;
}

/* follow orders the next work on a stream after all work of the pool so far. lead orders the pool's next work after the
 * work that is on the stream now. A caller of lead has called follow before. */
static sluice_status follow(const cuda_driver *driver, const char *source, pool *p, cu_stream stream,
                            sluice_error *error) {
  CUDA_TRY("cuStreamWaitEvent", driver->stream_wait(stream, p->tail, 0));
  return SLUICE_OK;
}

static sluice_status lead(const cuda_driver *driver, const char *source, pool *p, cu_stream stream,
                          sluice_error *error) {
  CUDA_TRY("cuEventRecord", driver->event_record(p->tail, stream));
  return SLUICE_OK;
}

/* --------------------------------------------------------------------------------------------------------- copies ---- */

/* reclaim takes back the staging rows whose copies are done. It does not wait. */
static sluice_status reclaim(const cuda_driver *driver, const char *source, pool *p, sluice_error *error) {
  cu_result result = CU_SUCCESS;
  /* While another stream is captured, the driver answers this query only in relaxed mode. */
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  (void)driver->capture_mode(&mode);
  while (p->n_batches > 0) {
    const pool_batch *oldest = &p->batches[p->batch_first];
    result = driver->event_query(oldest->copied);
    if (result != CU_SUCCESS) {
      break;
    }
    p->staged_first = (p->staged_first + oldest->rows) % p->staging_rows;
    p->staged -= oldest->rows;
    p->batch_first = (p->batch_first + 1) % POOL_BATCHES;
    p->n_batches--;
  }
  (void)driver->capture_mode(&mode);
  CUDA_TRY("cuEventQuery", result == CU_ERROR_NOT_READY ? CU_SUCCESS : result);
  return SLUICE_OK;
}

/* ring_row returns the i-th row of staging that is not in flight. */
static uint32_t ring_row(const pool *p, uint32_t i) { return (p->staged_first + p->staged + i) % p->staging_rows; }

/* copy puts the copies of n staged rows on a stream. One copy serves rows that are neighbours on both sides. */
static sluice_status copy(const cuda_driver *driver, const char *source, pool *p, uint32_t n, cu_stream stream,
                          sluice_error *error) {
  const size_t row_bytes = p->stride * sizeof(uint32_t);
  for (uint32_t i = 0; i < n;) {
    const uint32_t from = ring_row(p, i);
    uint32_t run = 1;
    while (i + run < n && from + run < p->staging_rows && p->pending[i + run] == p->pending[i] + run) {
      run++;
    }
    CUDA_TRY("cuMemcpyHtoDAsync",
             driver->copy_to_device(p->memory + p->pending[i] * row_bytes, p->staging + (size_t)from * p->stride,
                                    run * row_bytes, stream));
    i += run;
  }
  pool_batch *batch = &p->batches[(p->batch_first + p->n_batches) % POOL_BATCHES];
  CUDA_TRY("cuEventRecord", driver->event_record(batch->copied, stream));
  batch->rows = n;
  p->n_batches++;
  p->staged += n;
  return SLUICE_OK;
}

/* stage writes a row to staging memory. Copies send the words between the row's end and the next slot as they are. */
static void stage(pool *p, const uint32_t *row, uint32_t at) {
  memcpy(p->staging + (size_t)at * p->stride, row, p->words * sizeof row[0]);
}

/* ------------------------------------------------------------------------------------------------------------ put ---- */

/* place finds or makes the slots of all masks, which the ticket then holds. It stages the rows of new masks, adds their
 * slots to pending, and returns their number. */
static uint32_t place(pool *p, const sluice_cuda_put *put, pool_ticket *ticket) {
  const uint32_t room = p->n_batches < POOL_BATCHES ? p->staging_rows - p->staged : 0;
  uint32_t n = 0;
  for (size_t i = 0; i < put->n; i++) {
    const uint32_t *row = put->masks != NULL ? put->masks + i * put->mask_stride : NULL;
    const bool named = put->keys != NULL && (put->keys[i].low | put->keys[i].high) != 0;
    put->ids[i] = SLUICE_ID_ROW;
    if (!named && row == NULL) {
      continue;
    }
    const table_key key = named ? (table_key){.low = put->keys[i].low, .high = put->keys[i].high}
                                : table_mark(row, p->words, p->table.secret);
    uint32_t slot = table_find(&p->table, key);
    if (slot != TABLE_NONE) {
      p->done.hits++;
    } else if (row == NULL) {
      continue;
    } else {
      bool evicted = false;
      slot = n < room ? table_take(&p->table, key, &evicted) : TABLE_NONE;
      if (slot == TABLE_NONE) {
        p->done.refused++;
        continue;
      }
      stage(p, row, ring_row(p, n));
      p->pending[n++] = slot;
      p->done.evictions += evicted;
    }
    ticket->slots[ticket->n++] = slot;
    put->ids[i] = (int32_t)slot;
  }
  return n;
}

/* send puts the pending copies on the put's stream. */
static sluice_status send(const cuda_driver *driver, const char *source, pool *p, uint32_t n, cu_stream stream,
                          sluice_error *error) {
  sluice_status status = copy(driver, source, p, n, stream, error);
  if (status == SLUICE_OK) {
    status = lead(driver, source, p, stream, error);
  }
  if (status != SLUICE_OK) {
    /* Lookups must not find masks that did not arrive. Later copies must not overtake those still in flight. */
    (void)lead(driver, source, p, stream, NULL);
    for (uint32_t i = 0; i < n; i++) {
      table_drop(&p->table, p->pending[i]);
    }
    return status;
  }
  p->done.uploads += n;
  p->done.uploaded_bytes += (uint64_t)n * p->stride * sizeof(uint32_t);
  return SLUICE_OK;
}

/* fill is the part of a put that needs the pool's lock and its context. */
static sluice_status fill(const cuda_driver *driver, const char *source, pool *p, sluice_cuda_put *put,
                          sluice_error *error) {
  pool_ticket *ticket = find_ticket(p, put->ticket);
  if (ticket == NULL) {
    return put->ticket != 0 ? not_open(source, put->ticket, error)
                            : apply_fail(error, SLUICE_E_LIMIT, source,
                                         "%d tickets are open: close those that are not applied "
                                         "(sluice_cuda_pool_close)",
                                         POOL_TICKETS);
  }
  if (!make_room(ticket, put->n)) {
    return apply_fail(error, SLUICE_E_LIMIT, source, "there is no memory for a ticket of %zu masks", put->n);
  }
  sluice_status status =
      refuse_capture(driver, source, put->stream, "put masks before the capture, or on another stream", error);
  if (status != SLUICE_OK || (status = reclaim(driver, source, p, error)) != SLUICE_OK ||
      (status = follow(driver, source, p, put->stream, error)) != SLUICE_OK) {
    return status;
  }
  const uint32_t held = ticket->n;
  const uint32_t n = place(p, put, ticket);
  if (n > 0 && (status = send(driver, source, p, n, put->stream, error)) != SLUICE_OK) {
    shorten(p, ticket, held);
    return status;
  }
  if (put->ticket == 0) {
    put->ticket = ticket->number = ++p->last_ticket;
    p->n_tickets++;
  }
  return SLUICE_OK;
}

static sluice_status check_put(const char *source, const sluice_cuda_put *put, sluice_error *error) {
  if (put->reserved != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "put.reserved is %u, not 0", put->reserved);
  }
  if (put->n > INT32_MAX || (put->n > 0 && put->ids == NULL)) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "n is %zu and ids is at %p: ids has room for n, at most %d",
                      put->n, (void *)put->ids, INT32_MAX);
  }
  if (((uintptr_t)put->ids | (uintptr_t)put->masks) % sizeof(int32_t) != 0 ||
      (uintptr_t)put->keys % sizeof(uint64_t) != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "ids, masks or keys are not aligned to the size of their elements");
  }
  if (put->keys == NULL && put->masks == NULL && put->n > 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "keys and masks are both NULL: there is nothing to know masks by");
  }
  return SLUICE_OK;
}

sluice_status sluice_cuda_pool_put(sluice_cuda_put *given, sluice_error *error) {
  static const char source[] = "sluice_cuda_pool_put";
  const cuda_driver *driver;
  sluice_cuda_put own, *put = &own;
  sluice_status status = apply_take(source, "put", &own, sizeof own, given, SLUICE_FIRST_PUT, error);
  if (status != SLUICE_OK || (status = check_put(source, put, error)) != SLUICE_OK ||
      (status = cuda_find(source, &driver, error)) != SLUICE_OK) {
    return status;
  }
  pool *p = pool_hold(source, put->pool, error);
  if (p == NULL) {
    return SLUICE_E_HANDLE;
  }
  if (put->masks != NULL && put->n > 1 && put->mask_stride < p->words) {
    status = apply_fail(error, SLUICE_E_ARGUMENT, source, "mask_stride is %zu, the pool's masks have %u words",
                        put->mask_stride, p->words);
  } else {
    cuda_scope scope;
    status = cuda_enter_context(driver, source, p->context, &scope, error);
    if (status == SLUICE_OK) {
      pthread_mutex_lock(&p->lock);
      status = fill(driver, source, p, put, error);
      pthread_mutex_unlock(&p->lock);
      cuda_leave(driver, &scope);
      given->ticket = put->ticket;
    }
  }
  pool_drop(driver, p);
  return status;
}

/* ---------------------------------------------------------------------------------------------------------- apply ---- */

/* with_pool returns the arguments in the form that cuda_check expects. If no pair has its own row, a slot of the pool
 * stands for the missing rows. */
static sluice_apply_args with_pool(const sluice_apply_args *args, const pool *p) {
  sluice_apply_args a = *args;
  if (a.masks == NULL && a.mask_rows == NULL && a.n_mask_rows == 0) {
    a.masks = (const uint32_t *)p->memory;
    a.mask_words = p->words;
    a.n_mask_rows = a.n;
    a.mask_stride = 0;
  }
  return a;
}

static sluice_status check_ids(const char *source, const pool *p, const sluice_cuda_pool_use *use, size_t n,
                               sluice_error *error) {
  for (size_t i = 0; use->ids_on_device == 0 && i < n; i++) {
    if (use->ids[i] < SLUICE_ID_NONE || use->ids[i] >= (int32_t)p->table.used) {
      return apply_fail(
          error, SLUICE_E_ARGUMENT, source,
          "ids[%zu] is %d: the pool holds %u masks; ids come from sluice_cuda_pool_put, or are SLUICE_ID_*", i,
          use->ids[i], p->table.used);
    }
  }
  return SLUICE_OK;
}

/* meet is the part of an apply that needs the pool's lock and its context. */
static sluice_status meet(const cuda_driver *driver, const char *source, pool *p, const sluice_apply_args *args,
                          const sluice_cuda_pool_use *use, bool own_rows, cu_stream stream, sluice_error *error) {
  pool_ticket *ticket = use->ticket != 0 ? find_ticket(p, use->ticket) : NULL;
  if (use->ticket != 0 && ticket == NULL) {
    return not_open(source, use->ticket, error);
  }
  cuda_loaded loaded;
  int capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  sluice_status status = check_ids(source, p, use, args->n, error);
  if (status != SLUICE_OK || (status = cuda_kernels(driver, source, p->context, &loaded, error)) != SLUICE_OK) {
    return status;
  }
  CUDA_TRY("cuStreamIsCapturing", driver->stream_capturing(stream, &capturing));
  if (capturing != CU_STREAM_CAPTURE_STATUS_NONE && (use->ids_on_device == 0 || use->ticket != 0)) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "the stream is being captured into a graph, which outlives these ids: put ids on the device and "
                      "close the ticket after each launch of the graph (sluice_cuda_pool_close)");
  }
  cuda_params params;
  cuda_params_of(args, &params);
  params.pool = (const uint32_t *)p->memory;
  params.pool_stride = p->stride;
  params.n_slots = p->table.n;
  params.ids = use->ids_on_device != 0 ? use->ids : NULL;
  if (!own_rows) {
    params.masks = NULL;
    params.n_mask_rows = 0;
  }
  const int32_t *host_ids = use->ids_on_device != 0 ? NULL : use->ids;
  if (capturing != CU_STREAM_CAPTURE_STATUS_NONE) {
    /* The graph does not contain the pool's events: the caller orders its launches. */
    return cuda_launch(driver, source, &loaded, args, &params, host_ids, stream, error);
  }
  if ((status = follow(driver, source, p, stream, error)) != SLUICE_OK) {
    return status;
  }
  status = cuda_launch(driver, source, &loaded, args, &params, host_ids, stream, error);
  /* Also after a failure: the first of several launches may be on the stream. */
  const sluice_status led = lead(driver, source, p, stream, status == SLUICE_OK ? error : NULL);
  status = status == SLUICE_OK ? led : status;
  if (status != SLUICE_OK) {
    return status;
  }
  if (ticket != NULL) {
    close_ticket(p, ticket);
  }
  return SLUICE_OK;
}

/* enter_and_meet makes the checks that need the pool and the driver. */
static sluice_status enter_and_meet(const cuda_driver *driver, const char *source, pool *p,
                                    const sluice_apply_args *given, const sluice_cuda_pool_use *use, cu_stream stream,
                                    sluice_error *error) {
  const sluice_apply_args args = with_pool(given, p);
  const bool own_rows = given->masks != NULL || given->mask_rows != NULL;
  sluice_status status = cuda_check(source, &args, error);
  if (status != SLUICE_OK) {
    return status;
  }
  if (args.mask_words != p->words) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "mask_words is %zu, the pool's masks have %u", args.mask_words,
                      p->words);
  }
  if ((args.n > 0 && use->ids == NULL) || (uintptr_t)use->ids % sizeof(int32_t) != 0) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "ids is at %p: it is an aligned array of n ids",
                      (const void *)use->ids);
  }
  cuda_scope scope;
  status = cuda_enter(driver, source, stream, args.n > 0 ? cuda_address_of(&args) : 0, &scope, error);
  if (status != SLUICE_OK) {
    return status;
  }
  if (scope.context != p->context) {
    status = apply_fail(error, SLUICE_E_ARGUMENT, source,
                        "the stream, or the logits on the default stream, belong to another device or context than the "
                        "pool: make a pool for each");
  } else {
    pthread_mutex_lock(&p->lock);
    status = meet(driver, source, p, &args, use, own_rows, stream, error);
    pthread_mutex_unlock(&p->lock);
  }
  cuda_leave(driver, &scope);
  return status;
}

sluice_status sluice_cuda_pool_apply(const sluice_apply_args *given, const sluice_cuda_pool_use *given_use,
                                     void *stream, sluice_error *error) {
  static const char source[] = "sluice_cuda_pool_apply";
  const cuda_driver *driver;
  sluice_apply_args args;
  sluice_cuda_pool_use own;
  const sluice_cuda_pool_use *use = &own;
  sluice_status status = apply_take(source, "use", &own, sizeof own, given_use, SLUICE_FIRST_POOL_USE, error);
  if (status == SLUICE_OK) {
    status = apply_take(source, "args", &args, sizeof args, given, SLUICE_FIRST_APPLY_ARGS, error);
  }
  if (status != SLUICE_OK || (status = cuda_find(source, &driver, error)) != SLUICE_OK) {
    return status;
  }
  pool *p = pool_hold(source, use->pool, error);
  if (p == NULL) {
    return SLUICE_E_HANDLE;
  }
  status = enter_and_meet(driver, source, p, &args, use, stream, error);
  pool_drop(driver, p);
  return status;
}

/* ---------------------------------------------------------------------------------------------------------- close ---- */

static sluice_status end(const cuda_driver *driver, const char *source, pool *p, uint64_t number, cu_stream stream,
                         sluice_error *error) {
  pool_ticket *ticket = number != 0 ? find_ticket(p, number) : NULL;
  if (ticket == NULL) {
    return not_open(source, number, error);
  }
  sluice_status status = refuse_capture(driver, source, stream, "close the ticket after the graph was launched", error);
  if (status != SLUICE_OK || (status = follow(driver, source, p, stream, error)) != SLUICE_OK ||
      (status = lead(driver, source, p, stream, error)) != SLUICE_OK) {
    return status;
  }
  close_ticket(p, ticket);
  return SLUICE_OK;
}

sluice_status sluice_cuda_pool_close(sluice_cuda_pool handle, uint64_t ticket, void *stream, sluice_error *error) {
  static const char source[] = "sluice_cuda_pool_close";
  const cuda_driver *driver;
  cuda_scope scope;
  sluice_status status = cuda_find(source, &driver, error);
  if (status != SLUICE_OK) {
    return status;
  }
  pool *p = pool_hold(source, handle, error);
  if (p == NULL) {
    return SLUICE_E_HANDLE;
  }
  status = cuda_enter_context(driver, source, p->context, &scope, error);
  if (status == SLUICE_OK) {
    pthread_mutex_lock(&p->lock);
    status = end(driver, source, p, ticket, stream, error);
    pthread_mutex_unlock(&p->lock);
    cuda_leave(driver, &scope);
  }
  pool_drop(driver, p);
  return status;
}
