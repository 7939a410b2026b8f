/* sluice/stats.h: the work of a compiler and its grammars, for dashboards. Part of sluice.h, which includes it; its
 * conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_STATS_H
#define SLUICE_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The buckets of a histogram end at 1, 2.5 and 5 times each power of ten from 1 microsecond to 5 seconds, and at 10
 * seconds, inclusive; the last one is for everything longer. */
#define SLUICE_HISTOGRAM_BUCKETS 23

/* sluice_histogram: durations by bucket.
 * since 0.1 */
typedef struct sluice_histogram {
  uint64_t counts[SLUICE_HISTOGRAM_BUCKETS]; /* of each bucket alone */
  uint64_t count;                            /* the sum of counts */
  uint64_t sum_ns;                           /* of the durations, in nanoseconds */
} sluice_histogram;

/* sluice_compiler_stats: the work of a compiler, its grammars and their matchers since it was made, and the memory that
 * they hold. Counts only grow. Each is right for itself; they are not read at one moment, so of two counts one may
 * include an event that the other lacks yet. A matcher adds its masks, forced text and drafts after 64 masks, at the end of the
 * sequence, and in sluice_matcher_reset and sluice_matcher_free.
 * since 0.1 */
typedef struct sluice_compiler_stats {
  uint32_t struct_size;
  uint32_t reserved;
  sluice_histogram compilations; /* that ran to their end or error */
  sluice_histogram masks_made;   /* masks that calls computed, the first one of each grammar included */
  sluice_histogram warmed;       /* grammars warmed, with the pauses of warming */
  uint64_t masks;                /* written to rows, rows of drafts included, and keys of masks */
  uint64_t warmed_masks;         /* computed by warming */
  uint64_t warm_dropped;         /* grammars that left the full queue of warming */
  uint64_t forced_bytes;         /* that sluice_matcher_forced_bytes returned */
  uint64_t cache_hits;           /* this and the next six are the members of sluice_cache_facts */
  uint64_t cache_misses;
  uint64_t cache_joined;
  uint64_t cache_evictions;
  uint64_t cache_entries;
  uint64_t cache_bytes;
  uint64_t cache_limit;
  uint64_t state_bytes;   /* the last five, approximately and without overlap: parser states of grammars in the cache */
  uint64_t mask_bytes;    /* masks of the same grammars */
  uint64_t program_bytes; /* their programs, terminals, own token sets and constraints, and the cache's entries */
  uint64_t token_set_bytes; /* token sets that grammars share */
  uint64_t trie_bytes;      /* the vocabulary's trie */
  uint64_t refusals[32];    /* by SLUICE_E_*: errors of compilations, matchers and batches; at SLUICE_E_REJECTED calls
                               that accepted not all of their tokens or text; 0 at SLUICE_E_UNFINISHED */
  uint64_t forced_tokens;   /* that sluice_matcher_forced_tokens returned */
  uint64_t drafted_tokens;  /* that sluice_matcher_drafts returned, forced ones included */
} sluice_compiler_stats;

/* sluice_compiler_get_stats: writes the statistics of a compiler.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       a lock of the cache, and a look at each of its grammars: call it every few seconds.      since 0.1 */
sluice_status sluice_compiler_get_stats(sluice_compiler compiler, sluice_compiler_stats *stats, sluice_error *error);

/* sluice_compiler_prometheus: writes the statistics in the text format of Prometheus, version 0.0.4. docs/operations.md
 * lists the metrics.
 * text       the first min(capacity, *length) bytes of the text; may be NULL if capacity is 0.
 * length     its whole length; may be NULL.
 * returns    as sluice_compiler_get_stats.
 * threads    any.
 * cost       as sluice_compiler_get_stats.      since 0.1 */
sluice_status sluice_compiler_prometheus(sluice_compiler compiler, char *text, size_t capacity, size_t *length,
                                         sluice_error *error);

/* sluice_compiler_stats_message: writes the statistics as a message sluice.v1.CompilerStats of protobuf, which
 * include/sluice/v1/stats.proto describes.
 * message    the first min(capacity, *length) bytes of the message; may be NULL if capacity is 0.
 * length     its whole length; may be NULL.
 * returns    as sluice_compiler_get_stats.
 * threads    any.
 * cost       as sluice_compiler_get_stats.      since 0.1 */
sluice_status sluice_compiler_stats_message(sluice_compiler compiler, uint8_t *message, size_t capacity, size_t *length,
                                            sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_STATS_H */
