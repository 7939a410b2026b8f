/* sluice/cuda.h: masks meet logits on NVIDIA GPUs, masks that stay there, and which devices there are. Part of sluice.h,
 * which includes it; its conventions hold here.
 *
 * The driver (libcuda.so.1) is looked up when the first function of this file that needs it is called; the library links
 * to no part of CUDA, and needs no compiler on the machine that it runs on. Where there is no driver or no device these
 * functions return SLUICE_E_UNAVAILABLE.
 *
 *   streams    A stream is the caller's: CUstream, cudaStream_t, torch.cuda.Stream.cuda_stream. NULL is the default
 *              stream. Work is put on it and not waited for; nothing here synchronises unless it says so. What the
 *              device does wrong afterwards shows in a later call of the driver, ours or another's, as with all of CUDA.
 *   contexts   Work belongs to the stream's context; on the default stream to the current one if it is of the device
 *              that the logits are on, else to the primary context of that device. The caller's current context is the
 *              same after the call as before it.
 *   fork       A child of a process that has called one of these functions gets SLUICE_E_FORKED: CUDA does not survive
 *              fork(). These functions do not enter Go's runtime, but for sluice_devices and sluice_device_info. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_CUDA_H
#define SLUICE_CUDA_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- masks meet logits ---- */

/* sluice_cuda_prepare: make the kernels ready in a context: the driver compiles them for its device. Every function below
 * does the same when it first meets a context; call this where that time (tens of milliseconds when the driver has not
 * cached it) is not to be spent in a step.
 * device     its ordinal, for the primary context that PyTorch, JAX and the runtime API use; -1: the current context.
 * returns    SLUICE_OK; SLUICE_E_UNAVAILABLE (no driver, one too old for the kernels, no such device); SLUICE_E_DEVICE.
 * threads    any.      since 0.1 */
sluice_status sluice_cuda_prepare(int32_t device, sluice_error *error);

/* sluice_cuda_apply: sluice_apply for logits on a device.
 * args       as for sluice_apply, with every pointer in it, arrays included, an address that the device can read: device,
 *            managed or pinned and mapped memory. threads and level must be 0. Numbers in these arrays cannot be
 *            looked at here: a pair whose index is out of range, negative, or names a row pointer that is NULL, is left
 *            alone.
 * stream     see above. May be captured into a graph: what the arrays hold is then read at each launch of the graph, and
 *            pairs can be switched off there by an index of -1, or by enabled.
 * returns    SLUICE_OK (the work is on the stream); SLUICE_E_ARGUMENT (also logits that CUDA does not know: a tensor that
 *            is not on a device); SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE.
 * ownership  args is borrowed for the call, what it points to until the stream has done the work.
 * threads    any. A row named by several pairs meets all their masks.
 * cost       one launch for 65,535 pairs; only -inf is written and only where a mask denies; logits are never read.
 *            since 0.1 */
sluice_status sluice_cuda_apply(const sluice_apply_args *args, void *stream, sluice_error *error);

/* ------------------------------------------------------------------------------------- masks that stay on a device ---- */

/* sluice_cuda_pool: a bounded number of masks in the memory of a device, found again by a key. A step then sends a number
 * for each row instead of the row: sequences in the same state of the same grammar share one mask, and most states have
 * been met before. Shared and bounded, safe for any number of threads; a call waits for one on the same pool.
 *
 *     keys    sluice_batch_keys                            no row is written yet
 *     put     keys → ids, and a ticket                     those that are there
 *     fill    rows of those that are not                   often none
 *     put     keys and rows → ids, the same ticket         what is new is copied to the device, once
 *     apply   ids meet logits, the ticket is closed        what the ticket's ids name can't be replaced before
 *
 * Which memory may be overwritten: a mask that an open ticket names is never replaced. One that no open ticket names may
 * be replaced at once, also while kernels that read it wait or run: every copy and every kernel of a pool is ordered
 * on the device after those of all earlier calls, whichever streams they are on, by an event that each call waits for
 * and records. So a copy overtakes no reader, and a reader no copy. The mask that was let go longest ago is replaced first. */
typedef uint64_t sluice_cuda_pool;

/* sluice_cuda_pool_options: since 0.1 */
typedef struct sluice_cuda_pool_options {
  uint32_t struct_size;
  int32_t device;      /* as in sluice_cuda_prepare */
  uint32_t mask_words; /* words of a row: sluice_vocabulary_facts.mask_words */
  uint32_t slots;      /* masks that the pool can hold; 0: 1/64 of the device's memory, at most 4096 */
  uint32_t staging;    /* rows that may be on their way to the device at once, in pinned memory; 0: 256 or slots, the
                          smaller one */
  uint32_t reserved;
} sluice_cuda_pool_options;

/* sluice_cuda_pool_new: an empty pool.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE (out of memory); SLUICE_E_LIMIT (64
 *            pools are alive).
 * ownership  slots * mask_words * 4 bytes on the device and staging * mask_words * 4 pinned ones, freed with
 *            sluice_cuda_pool_free.
 * cost       allocates on the device, which may wait for it.      since 0.1 */
sluice_status sluice_cuda_pool_new(const sluice_cuda_pool_options *options, sluice_cuda_pool *pool,
                                   sluice_error *error);

/* What an id says; from 0 on it names a mask of the pool. */
enum {
  SLUICE_ID_ROW = -1, /* the pair's mask is its row of args, as in sluice_cuda_apply */
  SLUICE_ID_NONE = -2 /* the pair is left alone: nothing is masked */
};

/* sluice_cuda_put: the masks of one step.
 * since 0.1 */
typedef struct sluice_cuda_put {
  uint32_t struct_size;
  uint32_t reserved;
  sluice_cuda_pool pool;
  void *stream;                /* where copies are put; a stream beside the model's lets them run beside it */
  size_t n;                    /* masks */
  const sluice_mask_key *keys; /* n of them (sluice_batch_keys): equal keys name equal masks; one that is none, or NULL
                            for all of them: the mask is known by its content, which is read whole */
  const uint32_t *masks; /* the first word of row 0, in the host's memory, copied before the call returns; NULL: ask
                            only which keys are there */
  size_t mask_stride;    /* words from one row to the next, at least the pool's mask_words */
  int32_t *ids;          /* written, n of them: the id of each mask; SLUICE_ID_ROW: it is not in the pool */
  uint64_t ticket;       /* written: open until it is used. If it is not 0 it must be open, and is extended */
} sluice_cuda_put;

/* sluice_cuda_pool_put: make masks resident, or find them.
 * Ids stay valid until the ticket is closed by sluice_cuda_pool_apply or sluice_cuda_pool_close. A mask gets
 * SLUICE_ID_ROW if it is not there and masks is NULL, if all slots are named by open tickets, or if staging is full:
 * this call never waits for the device. Such rows are sent as rows.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_HANDLE; SLUICE_E_LIMIT (64 tickets are open: close those that are
 *            not used); SLUICE_E_DEVICE. On failure no ticket is made, and what ids hold means nothing.
 * threads    any.
 * cost       about 50 ns for a key that is there. Without keys a mask's content is hashed: about 1 µs for 128,256 ids.
 *            since 0.1 */
sluice_status sluice_cuda_pool_put(sluice_cuda_put *put, sluice_error *error);

/* sluice_cuda_pool_use: where sluice_cuda_pool_apply finds the ids of its pairs.
 * since 0.1 */
typedef struct sluice_cuda_pool_use {
  uint32_t struct_size;
  uint32_t ids_on_device; /* 1: ids are read by the device when it gets there; 0: by this call */
  sluice_cuda_pool pool;
  const int32_t *ids; /* args->n of them */
  uint64_t ticket;    /* closed when the work is on the stream; 0: none is, sluice_cuda_pool_close does it later */
} sluice_cuda_pool_use;

/* sluice_cuda_pool_apply: sluice_cuda_apply with masks of a pool, or of args, or none, pair by pair.
 * args       masks and mask_rows may both be NULL, n_mask_rows, mask_words and mask_stride then 0: no pair has a row of
 *            its own (SLUICE_ID_ROW leaves it alone). Else mask_words must be the pool's.
 * use        ids in the host's memory travel with the launch, 4 bytes each: they need no copy of their own, nor
 *            memory on the device.
 * stream     may be captured into a graph if ids_on_device is 1 and ticket is 0. A graph is launched on the stream that
 *            was given to sluice_cuda_pool_put, or after it, and its launch is followed by sluice_cuda_pool_close.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (also an id that the pool has not, and a ticket that is not open);
 *            SLUICE_E_HANDLE; SLUICE_E_UNAVAILABLE; SLUICE_E_DEVICE (the ticket stays open).
 * cost       one launch for 65,535 pairs, with ids of the host one for 896; two calls of the driver for the order of
 *            the pool's work.      since 0.1 */
sluice_status sluice_cuda_pool_apply(const sluice_apply_args *args, const sluice_cuda_pool_use *use, void *stream,
                                     sluice_error *error);

/* sluice_cuda_pool_close: close a ticket.
 * stream     what was put on it so far may still read the ticket's masks.
 * ticket     may be one whose masks were used several times, or never.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (not open; a stream that is being captured);
 *            SLUICE_E_DEVICE.      since 0.1 */
sluice_status sluice_cuda_pool_close(sluice_cuda_pool pool, uint64_t ticket, void *stream, sluice_error *error);

/* sluice_cuda_pool_facts: what a pool is and what it has done.
 * since 0.1 */
typedef struct sluice_cuda_pool_facts {
  uint32_t struct_size;
  uint32_t mask_words;
  uint32_t slots;
  uint32_t resident; /* slots that hold a mask */
  uint32_t open_tickets;
  uint32_t staging;
  uint64_t device_bytes;   /* of all slots */
  uint64_t hits;           /* masks that were there when they were put */
  uint64_t uploads;        /* that were not, and were copied */
  uint64_t uploaded_bytes; /* by those copies */
  uint64_t evictions;      /* that took the place of another one */
  uint64_t refused;        /* that got SLUICE_ID_ROW although there was a row */
} sluice_cuda_pool_facts;
sluice_status sluice_cuda_pool_info(sluice_cuda_pool pool, sluice_cuda_pool_facts *facts, sluice_error *error);

/* sluice_cuda_pool_free: give the handle and the memory back.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.
 * cost       waits for the device if that still uses the pool.      since 0.1 */
sluice_status sluice_cuda_pool_free(sluice_cuda_pool pool);

/* ---------------------------------------------------------------------------------------------------- devices ---- */

/* sluice_device_facts: one GPU, as its management library (libnvidia-ml.so.1) describes it. What it does not tell is 0,
 * or empty, or SLUICE_UNKNOWN. Texts end with NUL.
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

/* sluice_devices_facts: what this machine has.
 * since 0.1 */
typedef struct sluice_devices_facts {
  uint32_t struct_size;
  uint32_t n_devices;
  uint32_t cuda_major; /* the newest CUDA that the driver serves; 0: no driver */
  uint32_t cuda_minor;
  char driver[80];  /* its version, "" without one */
  char reason[256]; /* why n_devices is 0, in words; "" otherwise */
} sluice_devices_facts;

/* sluice_devices: how many GPUs there are, and their driver. No driver, or no GPU, is an answer and not an error.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       the first call loads libnvidia-ml.so.1, about 20 ms.      since 0.1 */
sluice_status sluice_devices(sluice_devices_facts *facts, sluice_error *error);

/* sluice_device_info: GPU number index of sluice_devices_facts.n_devices, as it is now. The order is that of the bus
 * addresses and is not changed by CUDA_VISIBLE_DEVICES; uuid tells which one a program sees.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (index not below n_devices); SLUICE_E_DEVICE (it is there, but does not answer).
 * threads    any.      since 0.1 */
sluice_status sluice_device_info(uint32_t index, sluice_device_facts *facts, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_CUDA_H */
