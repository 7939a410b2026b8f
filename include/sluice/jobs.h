/* sluice/jobs.h: compilations in the background, and the cache of compiled grammars. Part of sluice.h, which includes
 * it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_JOBS_H
#define SLUICE_JOBS_H

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------- jobs ---- */

/* sluice_job: a compilation in the background. Any number of threads may use it. A compiler runs as many jobs at a time
 * as the process may use threads; further jobs are queued. */
typedef uint64_t sluice_job;

/* sluice_grammar_start: sluice_grammar_compile with a patience. A compilation that takes longer continues as a job.
 * patience   in microseconds, as in "calls that may take long". 0: the call compiles nothing; it returns the cached
 *            grammar of an equal constraint, or a job.
 * grammar    written with SLUICE_OK.
 * job        written with SLUICE_E_UNFINISHED: wait for it, or free it.
 * returns    as sluice_grammar_compile; SLUICE_E_UNFINISHED.
 * ownership  free job with sluice_job_free, unless sluice_job_wait has returned its result.
 * threads    any; a job runs on a thread of the library.
 * cost       as sluice_grammar_compile if patience suffices.      since 0.1 */
sluice_status sluice_grammar_start(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                   const char *options, size_t options_length, uint32_t patience,
                                   sluice_grammar *grammar, sluice_job *job, sluice_error *error);

/* sluice_job_wait: waits for a job.
 * patience   in microseconds; 0: return at once.
 * grammar    written with SLUICE_OK.
 * returns    as sluice_grammar_compile, or SLUICE_E_CANCELLED: the job is over and its handle is freed;
 *            SLUICE_E_UNFINISHED (wait again). If several threads wait for one job, one gets the result and the others
 *            SLUICE_E_HANDLE.
 * threads    any.
 *            since 0.1 */
sluice_status sluice_job_wait(sluice_job job, uint32_t patience, sluice_grammar *grammar, sluice_error *error);

/* sluice_job_notify: tells an event loop when a job is over, cancelled or freed: the library writes the 8 bytes of its
 * handle to a pipe. After that sluice_job_wait returns at once.
 * descriptor  the writing end of a blocking pipe or socket. It is duplicated, so you may close yours. If you close the
 *             reading end before the job is over, ignore SIGPIPE. All jobs that write to one pipe share one duplicate
 *             and, while the pipe is full, one thread.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_IO (the descriptor is closed, not a pipe or socket, or not writable,
 *            or there are too many).
 * threads    any.      since 0.1 */
sluice_status sluice_job_notify(sluice_job job, int32_t descriptor, sluice_error *error);

/* sluice_job_cancel: ends a job. Its compilation stops within about a millisecond of work, and waiting for it gives
 * SLUICE_E_CANCELLED. A job that is done keeps its result. Other compilations of an equal constraint continue.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (over, or freed).
 * threads    any.      since 0.1 */
sluice_status sluice_job_cancel(sluice_job job);

/* sluice_job_free: ends a job and frees its handle.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (over, or freed before).
 * threads    any.      since 0.1 */
sluice_status sluice_job_free(sluice_job job);

/* ------------------------------------------------------------------------------------------------------ cache ---- */

/* A compiler caches grammars by a hash of kind, text and options. They take at most "cache_bytes", with the masks that
 * they have computed. When the cache is full, grammars that are asked for again replace those that were not asked for
 * longest; handles keep working. Constraints that failed with SLUICE_E_SYNTAX, _INVALID, _UNSUPPORTED or _UNSATISFIABLE
 * are cached too. Equal constraints that are compiled at the same time are compiled once. No answer depends on the
 * cache. */

/* sluice_grammar_find: looks up the result of sluice_grammar_compile in the cache.
 * grammar    written with SLUICE_OK.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE, with a place;
 *            SLUICE_E_UNFINISHED (not cached: compile it); SLUICE_E_ARGUMENT; SLUICE_E_HANDLE.
 * ownership  free grammar with sluice_grammar_free.
 * threads    any.
 * cost       a few microseconds, most of them to hash the text.      since 0.1 */
sluice_status sluice_grammar_find(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                  const char *options, size_t options_length, sluice_grammar *grammar,
                                  sluice_error *error);

/* sluice_cache_facts: counters of a compiler's cache, and the memory that it holds.
 * since 0.1 */
typedef struct sluice_cache_facts {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t hits;            /* compilations that found a grammar in the cache */
  uint64_t misses;          /* compilations that made one */
  uint64_t joined;          /* compilations that waited for another one of an equal constraint */
  uint64_t evictions;       /* grammars that were dropped for lack of room */
  uint64_t entries;         /* grammars and errors in the cache */
  uint64_t bytes;           /* of all entries, approximately */
  uint64_t limit;           /* the most that bytes may be; 0: no cache */
  uint64_t token_set_bytes; /* of token sets that grammars share, approximately; at most 64 MiB, beside `bytes` */
} sluice_cache_facts;

/* sluice_compiler_cache: writes the counters of the cache.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_compiler_cache(sluice_compiler compiler, sluice_cache_facts *facts, sluice_error *error);

/* sluice_compiler_clear: empties the cache. Grammars with a handle keep working.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.
 * threads    any.      since 0.1 */
sluice_status sluice_compiler_clear(sluice_compiler compiler, sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_JOBS_H */
