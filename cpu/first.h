/* first.h: the sizes of the header's structs in their first published version. Callers may have been compiled against it.
 * So calls accept every struct_size from this size on, and take missing members for zero. The last member of the first
 * version names each size, so that later members change nothing here. The numbers at the end pin the sizes.
 *
 * Structs grow by whole words. A size that is not a multiple of SLUICE_WORD ends inside a member and is refused. */
#ifndef SLUICE_CPU_FIRST_H
#define SLUICE_CPU_FIRST_H

#include <stddef.h>
#include <stdint.h>

#include "sluice.h"

#define SLUICE_MEMBER(type, member) (((type *)0)->member)
#define SLUICE_FIRST(type, last) \
  ((offsetof(type, last) + sizeof SLUICE_MEMBER(type, last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

enum {
  SLUICE_WORD = 8,
  SLUICE_FIRST_ERROR = SLUICE_FIRST(sluice_error, message),
  SLUICE_FIRST_VOCABULARY_CONFIG = SLUICE_FIRST(sluice_vocabulary_config, reserved),
  SLUICE_FIRST_VOCABULARY_OPTIONS = SLUICE_FIRST(sluice_vocabulary_options, n_end_tokens),
  SLUICE_FIRST_VOCABULARY_FACTS = SLUICE_FIRST(sluice_vocabulary_facts, hash),
  SLUICE_FIRST_GRAMMAR_FACTS = SLUICE_FIRST(sluice_grammar_facts, compile_ns),
  SLUICE_FIRST_CACHE_FACTS = SLUICE_FIRST(sluice_cache_facts, limit),
  SLUICE_FIRST_COMPILER_STATS = SLUICE_FIRST(sluice_compiler_stats, drafted_tokens),
  SLUICE_FIRST_NOTE = SLUICE_FIRST(sluice_note, text),
  SLUICE_FIRST_MATCHER_OPTIONS = SLUICE_FIRST(sluice_matcher_options, n_stop_tokens),
  SLUICE_FIRST_REASONING = SLUICE_FIRST(sluice_reasoning, reserved),
  SLUICE_FIRST_BATCH = SLUICE_FIRST(sluice_batch, constrained),
  SLUICE_FIRST_TREES = SLUICE_FIRST(sluice_trees, stride),
  SLUICE_FIRST_APPLY_ARGS = SLUICE_FIRST(sluice_apply_args, reserved),
  SLUICE_FIRST_SPARSE_ARGS = SLUICE_FIRST(sluice_sparse_args, covered),
  SLUICE_FIRST_POOL_OPTIONS = SLUICE_FIRST(sluice_cuda_pool_options, reserved),
  SLUICE_FIRST_PUT = SLUICE_FIRST(sluice_cuda_put, ticket),
  SLUICE_FIRST_POOL_USE = SLUICE_FIRST(sluice_cuda_pool_use, ticket),
  SLUICE_FIRST_POOL_FACTS = SLUICE_FIRST(sluice_cuda_pool_facts, refused),
  SLUICE_FIRST_DEVICE_FACTS = SLUICE_FIRST(sluice_device_facts, bus),
  SLUICE_FIRST_DEVICES_FACTS = SLUICE_FIRST(sluice_devices_facts, reason)
};

/* Compiled programs contain these numbers, so they never change. */
#if UINTPTR_MAX == UINT64_MAX
#define SLUICE_PIN(name, size)                                               \
  _Static_assert(SLUICE_FIRST_##name == (size) && (size) % SLUICE_WORD == 0, \
                 "a struct of the header changed where old callers have it")
SLUICE_PIN(ERROR, 2032);
SLUICE_PIN(VOCABULARY_CONFIG, 56);
SLUICE_PIN(VOCABULARY_OPTIONS, 24);
SLUICE_PIN(VOCABULARY_FACTS, 64);
SLUICE_PIN(GRAMMAR_FACTS, 32);
SLUICE_PIN(CACHE_FACTS, 64);
SLUICE_PIN(COMPILER_STATS, 1008);
SLUICE_PIN(NOTE, 1688);
SLUICE_PIN(MATCHER_OPTIONS, 24);
SLUICE_PIN(REASONING, 48);
SLUICE_PIN(BATCH, 80);
SLUICE_PIN(TREES, 40);
SLUICE_PIN(APPLY_ARGS, 152);
SLUICE_PIN(SPARSE_ARGS, 80);
SLUICE_PIN(POOL_OPTIONS, 24);
SLUICE_PIN(PUT, 72);
SLUICE_PIN(POOL_USE, 32);
SLUICE_PIN(POOL_FACTS, 72);
SLUICE_PIN(DEVICE_FACTS, 264);
SLUICE_PIN(DEVICES_FACTS, 352);
#undef SLUICE_PIN
#endif

#endif /* SLUICE_CPU_FIRST_H */
