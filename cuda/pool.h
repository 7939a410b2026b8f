/* pool.h: declarations of pool.c, which makes and frees pools, and put.c, which uses them. */
#ifndef SLUICE_CUDA_POOL_H
#define SLUICE_CUDA_POOL_H

#include <pthread.h>

#include "driver.h"
#include "table.h"

/* Bounds. Tickets are steps that were put and not yet applied. An engine has one or two for each stage of its pipeline; an
 * engine with 64 forgets to close them. Batches are copies that the device has not finished. The bounds of slots and words
 * keep products far below overflow. */
enum { POOL_MAX = 64, POOL_TICKETS = 64, POOL_BATCHES = 64, POOL_MAX_SLOTS = 1 << 20, POOL_MAX_WORDS = 1 << 26 };

/* pool_batch: rows of staging memory that one put has filled. */
typedef struct pool_batch {
  cu_event copied;
  uint32_t rows;
} pool_batch;

/* pool_ticket: holds masks until it is closed. */
typedef struct pool_ticket {
  uint64_t number; /* 0: not open */
  uint32_t n;
  uint32_t room;
  uint32_t *slots; /* each slot as often as it was named; the next ticket in this place reuses the memory */
} pool_ticket;

/* pool: masks on a device. Shared and bounded; the lock guards all members below it.
 *
 * INVARIANT: the device does the work of a pool in the order of the calls: each call waits on its stream for tail and
 * records tail again. So the writes of a call come after the reads of all earlier calls. */
typedef struct pool {
  uint64_t handle;
  uint32_t holders; /* guarded by the lock of all pools: calls inside, and one for the handle */
  cu_context context;
  cu_address memory;
  uint32_t *staging; /* pinned; a ring of rows */
  uint32_t words;
  uint32_t stride; /* words from slot to slot, and from row to row of staging */
  uint32_t staging_rows;

  pthread_mutex_t lock;
  table table;
  cu_event tail;
  uint32_t staged_first; /* the ring: the oldest row in flight, and the number of rows in flight */
  uint32_t staged;
  pool_batch batches[POOL_BATCHES]; /* a ring too */
  uint32_t batch_first;
  uint32_t n_batches;
  uint32_t *pending; /* the slots of the put in progress; staging_rows of them */
  pool_ticket tickets[POOL_TICKETS];
  uint32_t n_tickets;
  uint64_t last_ticket;
  sluice_cuda_pool_facts done; /* only the counters */
} pool;

/* pool_hold returns the pool of a handle, which lives until pool_drop, or writes the error and returns NULL. */
pool *pool_hold(const char *source, sluice_cuda_pool handle, sluice_error *error);
void pool_drop(const cuda_driver *driver, pool *p);

#endif /* SLUICE_CUDA_POOL_H */
