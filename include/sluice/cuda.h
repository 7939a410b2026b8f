/* sluice/cuda.h: applies masks to logits on NVIDIA GPUs, keeps masks there, and lists devices. Part of sluice.h, which
 * includes it; its conventions hold here.
 *
 * The first function that needs the driver looks up libcuda.so.1. The library links to no part of CUDA and needs no
 * compiler on the machine that it runs on. Without a driver or a device these functions return SLUICE_E_UNAVAILABLE.
 *
 *   streams    A stream is yours: CUstream, cudaStream_t, torch.cuda.Stream.cuda_stream. NULL is the default stream.
 *              Functions enqueue work on it and do not wait, unless they say so. As in all of CUDA, a failure of the
 *              device shows in a later call of the driver, ours or another's.
 *   contexts   Work belongs to the stream's context. On the default stream it belongs to the current context if that is
 *              of the device of the logits, else to the primary context of that device. The caller's current context is
 *              the same after the call as before it.
 *   fork       CUDA does not survive fork(): in a child of a process that has called one of these functions they return
 *              SLUICE_E_FORKED. Only sluice_devices and sluice_device_info enter Go's runtime. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_CUDA_H
#define SLUICE_CUDA_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ apply masks to logits ---- */

/* sluice_cuda_prepare: makes the kernels ready in a context: the driver compiles them for its device. Every function
 * below does so when it first meets a context. Call this if a step cannot spare that time: tens of milliseconds if the
 * driver has not cached it.
 * device     its ordinal, for the primary context that PyTorch, JAX and the runtime API use; -1: the current context.
 * returns    SLUICE_OK; SLUICE_E_UNAVAILABLE (no driver, one too old for the kernels, no such device); SLUICE_E_DEVICE.
 * threads    any.      since 0.1 */
sluice_status sluice_cuda_prepare(int32_t device, sluice_error *error);

/* sluice_cuda_apply: sluice_apply for logits on a device.
 * args       as for sluice_apply, but every pointer in it, arrays included, is an address that the device can read:
 *            device, managed, or pinned and mapped memory. threads and level must be 0. The call cannot check numbers
 *            in these arrays: a pair whose index is out of range, negative, or names a row pointer that is NULL, is
 *            skipped.
 * stream     see above. May be captured into a graph: each launch reads the arrays again, so an index of -1 or enabled
 *            can switch pairs off.
 * returns    SLUICE_OK (the work is on the stream); SLUICE_E_ARGUMENT (also logits that CUDA does not know: a tensor
 *            that is not on a device); SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE.
 * ownership  args is borrowed for the call; the memory that it points to is in use until the stream has done the work.
 * threads    any. A row named by several pairs gets all their masks.
 * cost       one launch for 65,535 pairs. Logits are never read; −inf is written only for forbidden tokens.
 *            since 0.1 */
sluice_status sluice_cuda_apply(const sluice_apply_args *args, void *stream, sluice_error *error);

/* -------------------------------------------------------------------------------- masks that stay on a device ---- */

/* sluice_cuda_pool: a bounded number of masks in the memory of a device, found by their keys. A step then sends a
 * number for each row instead of the row: sequences in the same state of the same grammar share one mask, and most
 * states are cached. Any number of threads may use a pool; calls on one pool wait for each other.
 *
 *     keys    sluice_batch_keys                            no row is written yet
 *     put     keys → ids, and a ticket                     masks that are in the pool
 *     fill    rows of the others                           often none
 *     put     keys and rows → ids, the same ticket         new masks are copied to the device, once
 *     apply   masks of the ids to logits, closes the ticket    until then masks of the ticket are not replaced
 *
 * The pool never replaces a mask that an open ticket names. It may replace any other mask at once, even while kernels
 * that read it wait or run: an event, which each call waits for and records, orders every copy and every kernel of the
 * pool after all earlier calls' own, on all streams. The mask whose ticket was closed longest ago is replaced
 * first. */
typedef uint64_t sluice_cuda_pool;

/* sluice_cuda_pool_options: the size of a pool. since 0.1 */
typedef struct sluice_cuda_pool_options {
  uint32_t struct_size;
  int32_t device;      /* as in sluice_cuda_prepare */
  uint32_t mask_words; /* words of a row: sluice_vocabulary_facts.mask_words */
  uint32_t slots;      /* capacity in masks; 0: 1/64 of the device's memory, at most 4096 */
  uint32_t staging;    /* rows in flight to the device at a time, in pinned memory; 0: 256 or slots, the smaller
                          one */
  uint32_t reserved;
} sluice_cuda_pool_options;

/* sluice_cuda_pool_new: makes an empty pool.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE (out of memory); SLUICE_E_LIMIT (64
 *            pools are alive).
 * ownership  allocates slots * mask_words * 4 bytes on the device and staging * mask_words * 4 pinned bytes; free them
 *            with sluice_cuda_pool_free.
 * threads    any.
 * cost       the allocation on the device may wait for it.      since 0.1 */
sluice_status sluice_cuda_pool_new(const sluice_cuda_pool_options *options, sluice_cuda_pool *pool,
                                   sluice_error *error);

/* Special ids; ids from 0 on are masks of the pool. */
enum {
  SLUICE_ID_ROW = -1, /* the mask of the pair is its row of args, as in sluice_cuda_apply */
  SLUICE_ID_NONE = -2 /* the pair is skipped */
};

/* sluice_cuda_put: the masks of one step.
 * since 0.1 */
typedef struct sluice_cuda_put {
  uint32_t struct_size;
  uint32_t reserved;
  sluice_cuda_pool pool;
  void *stream;                /* for copies; one beside the model's stream lets them overlap with it */
  size_t n;                    /* masks */
  const sluice_mask_key *keys; /* n of them (sluice_batch_keys). Masks with no key, or all if this is NULL, are found by
                            their content, which is read whole */
  const uint32_t *masks;       /* the first word of row 0, in the host's memory, copied before the call returns; NULL:
                            only look up keys */
  size_t mask_stride;          /* words from one row to the next, at least the pool's mask_words */
  int32_t *ids;                /* written, n of them: the id of each mask, SLUICE_ID_ROW if it is not in the pool */
  uint64_t ticket;             /* written: an open ticket. If it is not 0 it must be open, and is extended */
} sluice_cuda_put;

/* sluice_cuda_pool_put: copies masks into the pool, or finds them there. It never waits for the device.
 * Ids stay valid until sluice_cuda_pool_apply or sluice_cuda_pool_close closes the ticket. A mask gets SLUICE_ID_ROW if
 * it is not in the pool and masks is NULL, if open tickets name all slots, or if staging is full: send its row instead.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_HANDLE; SLUICE_E_LIMIT (64 tickets are open: close those that you
 *            do not use); SLUICE_E_DEVICE. On failure no ticket is made, and ids are undefined.
 * ownership  keys and masks are borrowed for the call.
 * threads    any.
 * cost       about 50 ns for a key that is in the pool. Without keys the content of a mask is hashed: about 1 µs for
 *            128,256 ids.
 *            since 0.1 */
sluice_status sluice_cuda_pool_put(sluice_cuda_put *put, sluice_error *error);

/* sluice_cuda_pool_use: the ids of the pairs of sluice_cuda_pool_apply.
 * since 0.1 */
typedef struct sluice_cuda_pool_use {
  uint32_t struct_size;
  uint32_t ids_on_device; /* 1: the device reads ids when the work runs; 0: this call reads them */
  sluice_cuda_pool pool;
  const int32_t *ids; /* args->n of them */
  uint64_t ticket;    /* closed once the work is on the stream; 0: sluice_cuda_pool_close does it later */
} sluice_cuda_pool_use;

/* sluice_cuda_pool_apply: sluice_cuda_apply with a mask of the pool, a row of args, or none for each pair.
 * args       masks and mask_rows may both be NULL, with n_mask_rows, mask_words and mask_stride 0: then no pair has a
 *            row of its own, and SLUICE_ID_ROW skips it. Else mask_words must be the pool's.
 * use        ids in the host's memory travel with the launch, 4 bytes each, without a copy or memory on the device.
 * stream     may be captured into a graph if ids_on_device is 1 and ticket is 0. Launch the graph on the stream that
 *            was given to sluice_cuda_pool_put, or after it, and call sluice_cuda_pool_close after the launch.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (also an id that is not in the pool, and a ticket that is not open);
 *            SLUICE_E_HANDLE; SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE (the ticket stays open).
 * ownership  as sluice_cuda_apply.
 * threads    any.
 * cost       one launch for 65,535 pairs, or for 896 if ids are the host's; two calls of the driver to order the work
 *            of the pool.      since 0.1 */
sluice_status sluice_cuda_pool_apply(const sluice_apply_args *args, const sluice_cuda_pool_use *use, void *stream,
                                     sluice_error *error);

/* sluice_cuda_pool_close: closes a ticket.
 * stream     work that is on it already may still read the ticket's masks.
 * ticket     its masks may have been used any number of times.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (not open; a stream that is being captured);
 *            SLUICE_E_DEVICE.
 * threads    any.      since 0.1 */
sluice_status sluice_cuda_pool_close(sluice_cuda_pool pool, uint64_t ticket, void *stream, sluice_error *error);

/* sluice_cuda_pool_facts: the size of a pool, and its counters. sluice_cuda_pool_info writes them.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * since 0.1 */
typedef struct sluice_cuda_pool_facts {
  uint32_t struct_size;
  uint32_t mask_words;
  uint32_t slots;
  uint32_t resident; /* slots that hold a mask */
  uint32_t open_tickets;
  uint32_t staging;
  uint64_t device_bytes;   /* of all slots */
  uint64_t hits;           /* masks that were in the pool when they were put */
  uint64_t uploads;        /* masks that were copied to the device */
  uint64_t uploaded_bytes; /* of these masks */
  uint64_t evictions;      /* masks that replaced another one */
  uint64_t refused;        /* masks that got SLUICE_ID_ROW although they had a row */
} sluice_cuda_pool_facts;
sluice_status sluice_cuda_pool_info(sluice_cuda_pool pool, sluice_cuda_pool_facts *facts, sluice_error *error);

/* sluice_cuda_pool_free: frees the handle and the memory.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.
 * threads    any.
 * cost       waits for the device if it still uses the pool.      since 0.1 */
sluice_status sluice_cuda_pool_free(sluice_cuda_pool pool);

/* ---------------------------------------------------------------------------------------------------- devices ---- */

/* sluice_device_facts: one GPU, as its management library (libnvidia-ml.so.1) describes it. Unknown numbers are 0 or
 * SLUICE_UNKNOWN, unknown texts empty. Texts end with NUL.
 * since 0.1 */
typedef struct sluice_device_facts {
  uint32_t struct_size;
  uint32_t compute_major; /* compute capability */
  uint32_t compute_minor;
  uint32_t compute_percent; /* share of the last second or so in which a kernel ran; SLUICE_UNKNOWN */
  uint32_t memory_percent;  /* share in which its memory was read or written; SLUICE_UNKNOWN */
  uint32_t reserved;
  uint64_t memory_total; /* bytes */
  uint64_t memory_free;
  char name[96];
  char uuid[96]; /* "GPU-…", the same number that the driver API gives */
  char bus[32];  /* PCI address */
} sluice_device_facts;
enum { SLUICE_UNKNOWN = 0x7FFFFFFF };

/* sluice_devices_facts: the GPUs of this machine and their driver.
 * since 0.1 */
typedef struct sluice_devices_facts {
  uint32_t struct_size;
  uint32_t n_devices;
  uint32_t cuda_major; /* the newest CUDA version of the driver; 0: no driver */
  uint32_t cuda_minor;
  char driver[80];  /* its version, "" without one */
  char reason[256]; /* why n_devices is 0, in words; "" otherwise */
} sluice_devices_facts;

/* sluice_devices: counts the GPUs and names their driver. Without a driver or a GPU it succeeds with n_devices 0 and
 * the reason.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       the first call loads libnvidia-ml.so.1, about 20 ms.      since 0.1 */
sluice_status sluice_devices(sluice_devices_facts *facts, sluice_error *error);

/* sluice_device_info: describes GPU number index, from 0, as it is now. GPUs are in the order of their bus addresses,
 * for any CUDA_VISIBLE_DEVICES; uuid identifies the one that a program sees.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (index not below n_devices); SLUICE_E_DEVICE (it does not answer).
 * threads    any.      since 0.1 */
sluice_status sluice_device_info(uint32_t index, sluice_device_facts *facts, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_CUDA_H */
