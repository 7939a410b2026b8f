/* sluice/kernels.h: applies masks to logits. Part of sluice.h, which includes it; its conventions hold here.
 *
 * Logits of forbidden tokens become −inf in place. All others stay unchanged. The functions for the CPU are plain C:
 * they take no handle, do not enter Go's runtime, and work in forked children. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_KERNELS_H
#define SLUICE_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------- types that kernels share ---- */

/* The type of a logit. */
enum {
  SLUICE_DTYPE_F32 = 1, /* IEEE single */
  SLUICE_DTYPE_F16 = 2, /* IEEE half */
  SLUICE_DTYPE_BF16 = 3 /* the upper half of a single */
};

/* Bits of sluice_apply_args.flags and sluice_sparse_args.flags. */
enum {
  SLUICE_APPLY_KEEP_BEYOND = 1, /* logits of ids that the masks do not cover stay unchanged; without it they become
                                   −inf */
  SLUICE_APPLY_MAP_OFFSETS = 2  /* token_map[i] is the id minus i; without it it is the id */
};

/* ---------------------------------------------------------------------------------------------------- the CPU ---- */

/* The instruction set of a kernel for the CPU. */
enum {
  SLUICE_CPU_BEST = 0,    /* the best of this machine */
  SLUICE_CPU_GENERIC = 1, /* plain C; the others are tested against it */
  SLUICE_CPU_AVX2 = 2,
  SLUICE_CPU_AVX512 = 3, /* F, BW, VL */
  SLUICE_CPU_NEON = 4
};

/* sluice_cpu_level: the level that SLUICE_CPU_BEST selects on this machine.
 * threads    any, also in a forked child.      since 0.1 */
uint32_t sluice_cpu_level(void);

/* --------------------------------------------------------------------------------------------- rows of logits ---- */

/* sluice_apply_args: rows of logits and the rows of masks to apply to them, as n pairs: pair i is logit row
 * logit_index[i] and mask row mask_index[i]. Rows of logits are evenly spaced (logits, logit_stride) or have pointers
 * (logit_rows); so are masks. Arrays are aligned to the size of their elements.
 * since 0.1 */
typedef struct sluice_apply_args {
  uint32_t struct_size;
  uint32_t dtype;                   /* SLUICE_DTYPE_* */
  uint32_t flags;                   /* SLUICE_APPLY_* */
  uint32_t threads;                 /* CPU: the most to use; 0 and 1: the caller's alone */
  void *logits;                     /* the first logit of row 0 */
  void *const *logit_rows;          /* instead of logits: the first logit of each row; NULL: the row is skipped */
  size_t n_logit_rows;              /* number of rows */
  size_t logit_stride;              /* logits from one row to the next, at least vocab_size; unused with logit_rows */
  size_t vocab_size;                /* logits in a row */
  const uint32_t *masks;            /* the first word of row 0 */
  const uint32_t *const *mask_rows; /* instead of masks: the first word of each row; NULL: it masks nothing */
  size_t n_mask_rows;               /* number of rows */
  size_t mask_stride;               /* words from one row to the next, at least mask_words; 0: all rows are row 0 */
  size_t mask_words;                /* words in a row; they may be fewer or more than vocab_size needs */
  size_t covered;                   /* masks cover the ids below; 0: 32 * mask_words */
  size_t n;                         /* pairs to apply */
  const int32_t *logit_index;       /* n rows of logits; NULL: pair i is row i */
  const int32_t *mask_index;        /* n rows of masks; NULL: pair i is row i. -1: the pair is skipped */
  const int32_t *enabled;           /* optional; n of them; 0: the pair is skipped */
  const int32_t *token_map;         /* optional; vocab_size ids: logit i stands for id token_map[i] (a draft model's own
                                       vocabulary). Ids outside 0 … covered - 1 count as not covered */
  uint32_t level;                   /* CPU: SLUICE_CPU_*; leave it 0 except in tests */
  uint32_t reserved;
} sluice_apply_args;

/* sluice_apply: applies masks to logits in this machine's memory.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (a pointer that is NULL or misaligned, rows that overlap, an index out of
 *            range, sizes whose product overflows; nothing is written); SLUICE_E_UNAVAILABLE (a level that this machine
 *            lacks).
 * ownership  args and its arrays are borrowed for the call. It allocates on the stack alone.
 * threads    any. A row named by several pairs gets all their masks. threads above 1 start threads for this call, at
 *            most one per 2 MiB of logits, with all signals blocked; if none can be started, the caller's thread does
 *            their work. Row pointers must then be of different rows.
 * cost       proportional to the memory that it touches: 32 allowed tokens read one word and no logit, 32 forbidden ones
 *            write their logits.      since 0.1 */
sluice_status sluice_apply(const sluice_apply_args *args, sluice_error *error);

/* The most bytes of logits that sluice_apply_dlpack takes. */
#define SLUICE_DLPACK_MOST 1048576

/* Bits of the flags of sluice_mask_filter. */
enum {
  SLUICE_FILTER_ALLOW = 1, /* the ids are allowed; without it they are forbidden */
  SLUICE_FILTER_RESET = 2  /* first every token is forbidden, or allowed without SLUICE_FILTER_ALLOW */
};

/* sluice_mask_filter: forbids or allows tokens in a mask, for any constraint. Check for yourself that a row
 * keeps a bit.
 * row        words words.
 * ids        n of them, each a bit of the row.
 * flags      SLUICE_FILTER_*.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (nothing is written).
 * threads    any.      since 0.1 */
sluice_status sluice_mask_filter(uint32_t *row, size_t words, const int32_t *ids, size_t n, uint32_t flags,
                                 sluice_error *error);

/* sluice_apply_dlpack: sluice_apply for bindings whose tensors offer DLPack's exchange functions to C (torch's types
 * from 2.10 on, as __dlpack_c_exchange_api__). Row i of masks is applied to row i of logits. Use it for calls so short
 * that reading a tensor's attributes would take longer than the work.
 * exchange   the table of functions, of DLPack's major version 1.
 * logits, masks   objects of the type that the table came from: one or two dimensions, in this machine's memory.
 * returns    SLUICE_OK; SLUICE_E_UNSUPPORTED (anything else, with wrong parameters and more than SLUICE_DLPACK_MOST
 *            bytes; nothing is written, and sluice_apply says why). The exchange functions may have raised an exception
 *            of the interpreter.
 * threads    the caller's, which holds the interpreter's lock.      since 0.1 */
sluice_status sluice_apply_dlpack(const void *exchange, void *logits, void *masks);

/* sluice_sparse_args: candidates of a sampler, each an id with its logit. Ids and logits are steps of bytes apart: in
 * arrays of their own, or as members of an array of structs (llama.cpp's llama_token_data: both steps are sizeof the
 * struct). since 0.1 */
typedef struct sluice_sparse_args {
  uint32_t struct_size;
  uint32_t dtype; /* SLUICE_DTYPE_* */
  uint32_t flags; /* SLUICE_APPLY_KEEP_BEYOND or 0 */
  uint32_t reserved;
  const int32_t *ids;   /* the first candidate's id */
  size_t id_step;       /* bytes from one id to the next */
  void *logits;         /* the first candidate's logit */
  size_t logit_step;    /* bytes from one logit to the next */
  size_t n;             /* candidates */
  const uint32_t *mask; /* one row */
  size_t mask_words;
  size_t covered; /* as in sluice_apply_args */
} sluice_sparse_args;

/* sluice_apply_sparse: applies one mask to candidates: logits of forbidden ids become −inf.
 * kept       optional; the number of logits that were not changed.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (nothing is written).
 * ownership  args is borrowed for the call. It allocates nothing.
 * threads    any; it works on the caller's alone.      since 0.1 */
sluice_status sluice_apply_sparse(const sluice_sparse_args *args, size_t *kept, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_KERNELS_H */
