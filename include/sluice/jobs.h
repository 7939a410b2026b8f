/* sluice/jobs.h: compilations that go on while their caller does something else, and the cache of compiled grammars.
 * Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_JOBS_H
#define SLUICE_JOBS_H

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------- jobs ---- */

/* sluice_job: a compilation that goes on while its caller does something else. Safe for any number of threads. Jobs of
 * a compiler run side by side, as many as the process may use threads; the others wait for their turn. */
typedef uint64_t sluice_job;

/* sluice_grammar_start: sluice_grammar_compile with a patience. A compilation that takes longer goes on as a job.
 * patience   microseconds, as in "calls that may take long"; with 0 the call itself compiles nothing: it returns the
 *            grammar of an equal constraint, if one is kept, or a job.
 * grammar    written with SLUICE_OK.
 * job        written with SLUICE_E_UNFINISHED: wait for it, or free it.
 * returns    as sluice_grammar_compile; SLUICE_E_UNFINISHED.
 * threads    the job has a thread of the library's.
 * cost       that of sluice_grammar_compile where patience suffices.      since 0.1 */
sluice_status sluice_grammar_start(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                   const char *options, size_t options_length, uint32_t patience,
                                   sluice_grammar *grammar, sluice_job *job, sluice_error *error);

/* sluice_job_wait: wait for a job; with a patience of 0: is it over?
 * grammar    written with SLUICE_OK.
 * returns    as sluice_grammar_compile, or SLUICE_E_CANCELLED, and then the job is over and its handle is freed;
 *            SLUICE_E_UNFINISHED (wait again). Of several threads that wait for one job one gets the result, the others
 *            SLUICE_E_HANDLE.
 *            since 0.1 */
sluice_status sluice_job_wait(sluice_job job, uint32_t patience, sluice_grammar *grammar, sluice_error *error);

/* sluice_job_notify: tell an event loop when a job is over: the 8 bytes of its handle are written to a pipe. Then
 * sluice_job_wait returns at once. A job that was cancelled or freed is told of, too.
 * descriptor  the end to write to of a pipe or socket that blocks; it is duplicated, so the caller may close its own.
 *             Who closes the other end before the job is over must ignore SIGPIPE. Any number of jobs may be told of on
 *             one pipe: they take one duplicate and, while it is full, one thread together.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_IO (no open descriptor, or none of a pipe or socket that can be
 *            written to, or there are too many).      since 0.1 */
sluice_status sluice_job_notify(sluice_job job, int32_t descriptor, sluice_error *error);

/* sluice_job_cancel: give up a job. Its compilation stops within about a millisecond of work, and whoever waits for it
 * gets SLUICE_E_CANCELLED; a job that is done by then keeps its result. Others who wait for an equal constraint are not
 * disturbed.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (over, or freed).      since 0.1 */
sluice_status sluice_job_cancel(sluice_job job);

/* sluice_job_free: give up a job, and its handle.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (over, or freed before).      since 0.1 */
sluice_status sluice_job_free(sluice_job job);

/* ------------------------------------------------------------------------------------------------------ cache ---- */

/* A compiler keeps grammars for those who ask for an equal constraint again: the same kind, text and options, of which
 * it remembers a hash. They take at most its "cache_bytes", with what they have found for their matchers. Where there
 * is no room, those that are asked for again take the place of those that nobody has asked for the longest time, which
 * whoever holds a handle does not notice. Constraints that fail as SLUICE_E_SYNTAX, _INVALID, _UNSUPPORTED or
 * _UNSATISFIABLE are remembered too. Equal constraints that are asked for at the same time are compiled once. No answer
 * depends on any of this. */

/* sluice_grammar_find: sluice_grammar_compile if the answer is kept.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE, with a place;
 *            SLUICE_E_UNFINISHED (it would have to be compiled); SLUICE_E_ARGUMENT; SLUICE_E_HANDLE.
 * cost       some microseconds, most of which hash the text.      since 0.1 */
sluice_status sluice_grammar_find(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                  const char *options, size_t options_length, sluice_grammar *grammar,
                                  sluice_error *error);

/* sluice_cache_facts: what the cache of a compiler has done, and what it holds.
 * since 0.1 */
typedef struct sluice_cache_facts {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t hits;      /* constraints that were kept */
  uint64_t misses;    /* constraints that were compiled */
  uint64_t joined;    /* constraints that another caller was compiling */
  uint64_t evictions; /* grammars of which it let go because there was no room */
  uint64_t entries;
  uint64_t bytes;           /* of grammars, keys and what holds them, about */
  uint64_t limit;           /* what bytes may be; 0: nothing is kept */
  uint64_t token_set_bytes; /* of token sets that the compiler's grammars share, about; not in bytes; 64 MiB at most */
} sluice_cache_facts;

/* sluice_compiler_cache: what the cache has done, and what it holds.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
sluice_status sluice_compiler_cache(sluice_compiler compiler, sluice_cache_facts *facts, sluice_error *error);

/* sluice_compiler_clear: let go of the grammars that are kept. Those in use stay usable.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.      since 0.1 */
sluice_status sluice_compiler_clear(sluice_compiler compiler, sluice_error *error);

#ifdef __cplusplus
}
#endif
#endif /* SLUICE_JOBS_H */
