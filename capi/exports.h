/* exports.h: declarations between sluice.h and the Go functions behind it. The preamble of every Go file with exports
 * includes it, so that one compilation sees cgo's own declarations too: a Go function whose parameters differ from the
 * header's is a compile error ("conflicting types for go_…").
 *
 * The functions of the header are C functions (entry.c), because a forked child must not enter Go's runtime at all: it
 * might wait there for threads that no longer exist. Each checks for a fork, then calls its go_ twin. */
#ifndef SLUICE_CAPI_EXPORTS_H
#define SLUICE_CAPI_EXPORTS_H

#include "../cpu/first.h"
#include "sluice.h"

/* cgo writes a Go type *C.name as `name *`, so each `const T *` of the header needs a name for `const T`. */
typedef const char sluice_in_char;
typedef const uint8_t sluice_in_byte;
typedef const int32_t sluice_in_id;
typedef const uint32_t sluice_in_u32;
typedef const size_t sluice_in_size;
typedef const char *const sluice_in_text;
typedef const uint8_t *const sluice_in_octets;
typedef const sluice_vocabulary_config sluice_in_vocabulary_config;
typedef const sluice_vocabulary_options sluice_in_vocabulary_options;
typedef const sluice_matcher_options sluice_in_matcher_options;
typedef const sluice_reasoning sluice_in_reasoning;
typedef const sluice_batch sluice_in_batch;
typedef const sluice_trees sluice_in_trees;
typedef const int64_t sluice_in_i64;

/* Every function of the header that has a twin in Go: EACH(name) for sluice_name and go_name. */
#define SLUICE_TWINS(EACH)       \
  EACH(vocabulary_new)           \
  EACH(vocabulary_from_file)     \
  EACH(vocabulary_from_data)     \
  EACH(vocabulary_info)          \
  EACH(vocabulary_token)         \
  EACH(vocabulary_token_id)      \
  EACH(vocabulary_end_tokens)    \
  EACH(vocabulary_free)          \
  EACH(compiler_new)             \
  EACH(compiler_save)            \
  EACH(compiler_load)            \
  EACH(compiler_free)            \
  EACH(capabilities)             \
  EACH(grammar_compile)          \
  EACH(check)                    \
  EACH(to_ebnf)                  \
  EACH(combine)                  \
  EACH(families)                 \
  EACH(family_of)                \
  EACH(request_read)             \
  EACH(request_tools)            \
  EACH(parse_calls)              \
  EACH(grammar_info)             \
  EACH(grammar_note)             \
  EACH(grammar_free)             \
  EACH(grammar_start)            \
  EACH(grammar_find)             \
  EACH(job_wait)                 \
  EACH(job_notify)               \
  EACH(job_cancel)               \
  EACH(job_free)                 \
  EACH(compiler_cache)           \
  EACH(compiler_clear)           \
  EACH(compiler_get_stats)       \
  EACH(compiler_prometheus)      \
  EACH(compiler_stats_message)   \
  EACH(matcher_new)              \
  EACH(matcher_fork)             \
  EACH(matcher_reset)            \
  EACH(matcher_free)             \
  EACH(matcher_accept)           \
  EACH(matcher_accept_token)     \
  EACH(matcher_accept_bytes)     \
  EACH(matcher_validate)         \
  EACH(matcher_rollback)         \
  EACH(matcher_fill)             \
  EACH(matcher_state)            \
  EACH(matcher_finished)         \
  EACH(matcher_length)           \
  EACH(matcher_forced_bytes)     \
  EACH(matcher_mask_key)         \
  EACH(matcher_captures)         \
  EACH(matcher_temperature)      \
  EACH(matcher_explain)          \
  EACH(matcher_explanation)      \
  EACH(matcher_output)           \
  EACH(matcher_events)           \
  EACH(matcher_set_max_tokens)   \
  EACH(matcher_min_tokens)       \
  EACH(matcher_set_stop_strings) \
  EACH(matcher_stopped)          \
  EACH(matcher_forced_tokens)    \
  EACH(matcher_drafts)           \
  EACH(matcher_try_fill)         \
  EACH(matcher_try_accept_token) \
  EACH(matcher_try_accept)       \
  EACH(matcher_try_validate)     \
  EACH(matcher_try_accept_bytes) \
  EACH(matcher_try_forced_bytes) \
  EACH(batch_try_fill)           \
  EACH(batch_try_keys)           \
  EACH(batch_accept)             \
  EACH(batch_validate)           \
  EACH(batch_accept_bytes)       \
  EACH(batch_set_max_tokens)     \
  EACH(batch_set_stop_strings)   \
  EACH(batch_rollback)           \
  EACH(batch_fill_chains)        \
  EACH(batch_fill_trees)         \
  EACH(batch_fill)               \
  EACH(batch_keys)               \
  EACH(devices)                  \
  EACH(device_info)

#define SLUICE_DECLARE_TWIN(name) extern __typeof__(sluice_##name) go_##name;
SLUICE_TWINS(SLUICE_DECLARE_TWIN)
#undef SLUICE_DECLARE_TWIN

#endif /* SLUICE_CAPI_EXPORTS_H */
