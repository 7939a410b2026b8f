/* entry.c: the functions of sluice.h as the linker sees them. Each refuses to work in a forked child and otherwise calls
 * its twin in Go (exports.h says why the question is asked here). Nothing else is decided in C. */
#include "exports.h"

#include <pthread.h>
#include <string.h>

/* 1 in a child that was forked from a process in which this copy of the library was loaded. */
static volatile int forked;

static void mark_forked(void) { forked = 1; }

/* The first thing that happens when the library is loaded, before Go's runtime starts its threads. */
__attribute__((constructor(101))) static void watch_fork(void) { (void)pthread_atfork(NULL, NULL, mark_forked); }

/* refuse_forked tells a caller in a forked child what to do instead. */
static sluice_status refuse_forked(sluice_error *error) {
  static const char source[] = "fork";
  static const char message[] =
      "fork: the library was loaded before fork() and cannot work in the child: load it after the fork, or load a copy "
      "of its file (another inode) in the child and make the objects again from their specs";
  if (error != NULL && error->struct_size >= SLUICE_FIRST_ERROR) {
    const uint32_t size = error->struct_size;
    sluice_error e = {.struct_size = size,
                      .code = SLUICE_E_FORKED,
                      .source_length = sizeof(source) - 1,
                      .message_length = sizeof(message) - 1};
    memcpy(e.source, source, sizeof(source));
    memcpy(e.message, message, sizeof(message));
    memcpy(error, &e, size < sizeof(e) ? size : sizeof(e));
  }
  return SLUICE_E_FORKED;
}

/* REFUSE_FORKED returns from the function it stands in if it runs in a forked child. */
#define REFUSE_FORKED(error)           \
  do {                                 \
    if (__builtin_expect(forked, 0)) { \
      return refuse_forked(error);     \
    }                                  \
  } while (0)

/* -------------------------------------------------------------------------------------------- version, status ---- */

const char *sluice_version(void) { return SLUICE_VERSION; }

uint32_t sluice_abi_version(void) { return SLUICE_ABI_VERSION; }

const char *sluice_status_name(sluice_status status) {
  static const char *const names[] = {"ok",          "argument",      "handle", "busy",       "syntax",   "invalid",
                                      "unsupported", "unsatisfiable", "limit",  "io",         "internal", "rejected",
                                      "forked",      "unavailable",   "device", "unfinished", "cancelled"};
  if (status < 0 || (size_t)status >= sizeof(names) / sizeof(names[0])) {
    return "unknown";
  }
  return names[status];
}

/* ------------------------------------------------------------------------------------------------- vocabulary ---- */

sluice_status sluice_vocabulary_new(const sluice_vocabulary_config *config, sluice_vocabulary *vocabulary,
                                    sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_new(config, vocabulary, error);
}

sluice_status sluice_vocabulary_from_file(const char *path, size_t path_length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_from_file(path, path_length, options, vocabulary, error);
}

sluice_status sluice_vocabulary_from_data(uint32_t format, const uint8_t *data, size_t length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_from_data(format, data, length, options, vocabulary, error);
}

sluice_status sluice_vocabulary_info(sluice_vocabulary vocabulary, sluice_vocabulary_facts *facts,
                                     sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_info(vocabulary, facts, error);
}

sluice_status sluice_vocabulary_token(sluice_vocabulary vocabulary, uint32_t id, uint8_t *bytes, size_t capacity,
                                      size_t *length, uint32_t *flags, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_token(vocabulary, id, bytes, capacity, length, flags, error);
}

sluice_status sluice_vocabulary_token_id(sluice_vocabulary vocabulary, const char *text, size_t length, uint32_t *id,
                                         sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_token_id(vocabulary, text, length, id, error);
}

sluice_status sluice_vocabulary_end_tokens(sluice_vocabulary vocabulary, uint32_t *ids, size_t capacity, size_t *count,
                                           sluice_error *error) {
  REFUSE_FORKED(error);
  return go_vocabulary_end_tokens(vocabulary, ids, capacity, count, error);
}

sluice_status sluice_vocabulary_free(sluice_vocabulary vocabulary) {
  REFUSE_FORKED(NULL);
  return go_vocabulary_free(vocabulary);
}

/* ----------------------------------------------------------------------------------------- compiler and grammar ---- */

sluice_status sluice_compiler_new(sluice_vocabulary vocabulary, const char *options, size_t options_length,
                                  sluice_compiler *compiler, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_new(vocabulary, options, options_length, compiler, error);
}

sluice_status sluice_compiler_save(sluice_compiler compiler, uint8_t *bytes, size_t capacity, size_t *length,
                                   sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_save(compiler, bytes, capacity, length, error);
}

sluice_status sluice_compiler_load(sluice_vocabulary vocabulary, const uint8_t *bytes, size_t length,
                                   const char *options, size_t options_length, sluice_compiler *compiler,
                                   sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_load(vocabulary, bytes, length, options, options_length, compiler, error);
}

sluice_status sluice_compiler_free(sluice_compiler compiler) {
  REFUSE_FORKED(NULL);
  return go_compiler_free(compiler);
}

sluice_status sluice_capabilities(char *text, size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_capabilities(text, capacity, length, error);
}

sluice_status sluice_check(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                           size_t options_length, sluice_vocabulary vocabulary, uint64_t budget, char *text,
                           size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_check(kind, spec, spec_length, options, options_length, vocabulary, budget, text, capacity, length, error);
}

sluice_status sluice_combine(uint32_t how, size_t n, const uint32_t *kinds, const char *const *specs,
                             const size_t *lengths, char *text, size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_combine(how, n, kinds, specs, lengths, text, capacity, length, error);
}

sluice_status sluice_to_ebnf(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                             size_t options_length, char *text, size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_to_ebnf(kind, spec, spec_length, options, options_length, text, capacity, length, error);
}

sluice_status sluice_families(char *text, size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_families(text, capacity, length, error);
}

sluice_status sluice_family_of(const char *model, size_t model_length, char *text, size_t capacity, size_t *length,
                               sluice_error *error) {
  REFUSE_FORKED(error);
  return go_family_of(model, model_length, text, capacity, length, error);
}

sluice_status sluice_request_read(const char *request, size_t request_length, const char *options,
                                  size_t options_length, sluice_vocabulary vocabulary, char *text, size_t capacity,
                                  size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_request_read(request, request_length, options, options_length, vocabulary, text, capacity, length, error);
}

sluice_status sluice_request_tools(const char *request, size_t request_length, char *text, size_t capacity,
                                   size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_request_tools(request, request_length, text, capacity, length, error);
}

sluice_status sluice_parse_calls(const char *text, size_t text_length, const char *request, size_t request_length,
                                 const char *options, size_t options_length, sluice_event *events, size_t capacity,
                                 size_t *n, uint8_t *bytes, size_t size, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_parse_calls(text, text_length, request, request_length, options, options_length, events, capacity, n, bytes,
                        size, length, error);
}

sluice_status sluice_grammar_compile(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                     const char *options, size_t options_length, sluice_grammar *grammar,
                                     sluice_error *error) {
  REFUSE_FORKED(error);
  return go_grammar_compile(compiler, kind, spec, spec_length, options, options_length, grammar, error);
}

sluice_status sluice_grammar_info(sluice_grammar grammar, sluice_grammar_facts *facts, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_grammar_info(grammar, facts, error);
}

sluice_status sluice_grammar_note(sluice_grammar grammar, uint32_t index, sluice_note *note, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_grammar_note(grammar, index, note, error);
}

sluice_status sluice_grammar_free(sluice_grammar grammar) {
  REFUSE_FORKED(NULL);
  return go_grammar_free(grammar);
}

/* ---------------------------------------------------------------------------------------------------- matcher ---- */

sluice_status sluice_matcher_new(sluice_grammar grammar, const sluice_matcher_options *options, sluice_matcher *matcher,
                                 sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_new(grammar, options, matcher, error);
}

sluice_status sluice_matcher_fork(sluice_matcher matcher, sluice_matcher *fork, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_fork(matcher, fork, error);
}

sluice_status sluice_matcher_reset(sluice_matcher matcher, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_reset(matcher, error);
}

sluice_status sluice_matcher_free(sluice_matcher matcher) {
  REFUSE_FORKED(NULL);
  return go_matcher_free(matcher);
}

sluice_status sluice_matcher_accept(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *accepted,
                                    sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_accept(matcher, ids, n, accepted, error);
}

sluice_status sluice_matcher_accept_token(sluice_matcher matcher, int32_t id) {
  REFUSE_FORKED(NULL);
  return go_matcher_accept_token(matcher, id);
}

sluice_status sluice_matcher_accept_bytes(sluice_matcher matcher, const uint8_t *bytes, size_t n, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_accept_bytes(matcher, bytes, n, error);
}

sluice_status sluice_matcher_validate(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *valid,
                                      sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_validate(matcher, ids, n, valid, error);
}

sluice_status sluice_matcher_rollback(sluice_matcher matcher, size_t n, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_rollback(matcher, n, error);
}

sluice_status sluice_matcher_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained,
                                  sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_fill(matcher, row, words, constrained, error);
}

sluice_status sluice_matcher_state(sluice_matcher matcher, uint32_t *state, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_state(matcher, state, error);
}

sluice_status sluice_matcher_finished(sluice_matcher matcher, uint32_t *finished, uint32_t patience,
                                      sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_finished(matcher, finished, patience, error);
}

sluice_status sluice_matcher_length(sluice_matcher matcher, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_length(matcher, length, error);
}

sluice_status sluice_matcher_forced_bytes(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                          sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_forced_bytes(matcher, bytes, capacity, length, error);
}

sluice_status sluice_matcher_captures(sluice_matcher matcher, sluice_capture *captures, size_t capacity, size_t *n,
                                      uint8_t *bytes, size_t size, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_captures(matcher, captures, capacity, n, bytes, size, length, error);
}

sluice_status sluice_matcher_temperature(sluice_matcher matcher, double *temperature, uint32_t *some,
                                         sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_temperature(matcher, temperature, some, error);
}

sluice_status sluice_matcher_explain(sluice_matcher matcher, int32_t id, char *text, size_t capacity, size_t *length,
                                     sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_explain(matcher, id, text, capacity, length, error);
}

sluice_status sluice_matcher_explanation(sluice_matcher matcher, int32_t id, const uint8_t *text, size_t size,
                                         char *json, size_t capacity, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_explanation(matcher, id, text, size, json, capacity, length, error);
}

sluice_status sluice_matcher_events(sluice_matcher matcher, uint32_t flags, sluice_event *events, size_t capacity,
                                    size_t *n, uint8_t *bytes, size_t size, size_t *length, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_events(matcher, flags, events, capacity, n, bytes, size, length, error);
}

sluice_status sluice_matcher_output(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                    sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_output(matcher, bytes, capacity, length, error);
}

sluice_status sluice_matcher_set_max_tokens(sluice_matcher matcher, uint32_t n, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_set_max_tokens(matcher, n, error);
}

sluice_status sluice_matcher_min_tokens(sluice_matcher matcher, uint32_t *n, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_min_tokens(matcher, n, error);
}

sluice_status sluice_matcher_set_stop_strings(sluice_matcher matcher, const uint8_t *const *strings,
                                              const size_t *lengths, size_t n, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_set_stop_strings(matcher, strings, lengths, n, error);
}

sluice_status sluice_matcher_stopped(sluice_matcher matcher, sluice_stop *stop, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_stopped(matcher, stop, error);
}

sluice_status sluice_matcher_forced_tokens(sluice_matcher matcher, int32_t *ids, size_t capacity, size_t *n,
                                           uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_forced_tokens(matcher, ids, capacity, n, patience, error);
}

sluice_status sluice_matcher_drafts(sluice_matcher matcher, int32_t *ids, size_t k, size_t *n, uint32_t patience,
                                    sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_drafts(matcher, ids, k, n, patience, error);
}

/* ------------------------------------------------------------------------------------------------------ batch ---- */

sluice_status sluice_batch_fill(const sluice_batch *batch, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_fill(batch, error);
}

sluice_status sluice_matcher_mask_key(sluice_matcher matcher, sluice_mask_key *key, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_mask_key(matcher, key, error);
}

sluice_status sluice_batch_keys(const sluice_batch *batch, sluice_mask_key *keys, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_keys(batch, keys, error);
}

/* --------------------------------------------------------------------------------------- calls that may take long ---- */

sluice_status sluice_matcher_try_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained) {
  REFUSE_FORKED(NULL);
  return go_matcher_try_fill(matcher, row, words, constrained);
}

sluice_status sluice_matcher_try_accept_token(sluice_matcher matcher, int32_t id) {
  REFUSE_FORKED(NULL);
  return go_matcher_try_accept_token(matcher, id);
}

sluice_status sluice_matcher_try_accept(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *accepted,
                                        uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_try_accept(matcher, ids, n, accepted, patience, error);
}

sluice_status sluice_matcher_try_validate(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *valid,
                                          uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_try_validate(matcher, ids, n, valid, patience, error);
}

sluice_status sluice_matcher_try_accept_bytes(sluice_matcher matcher, const uint8_t *bytes, size_t n, uint32_t patience,
                                              sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_try_accept_bytes(matcher, bytes, n, patience, error);
}

sluice_status sluice_matcher_try_forced_bytes(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                              uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_matcher_try_forced_bytes(matcher, bytes, capacity, length, patience, error);
}

sluice_status sluice_batch_try_fill(const sluice_batch *batch, uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_try_fill(batch, patience, error);
}

sluice_status sluice_batch_try_keys(const sluice_batch *batch, sluice_mask_key *keys, uint32_t patience,
                                    sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_try_keys(batch, keys, patience, error);
}

sluice_status sluice_batch_accept(const sluice_batch *batch, uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_accept(batch, patience, error);
}

sluice_status sluice_batch_validate(const sluice_batch *batch, uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_validate(batch, patience, error);
}

sluice_status sluice_batch_accept_bytes(const sluice_batch *batch, const uint8_t *const *texts, const size_t *lengths,
                                        uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_accept_bytes(batch, texts, lengths, patience, error);
}

sluice_status sluice_batch_set_max_tokens(const sluice_batch *batch, const uint32_t *limits, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_set_max_tokens(batch, limits, error);
}

sluice_status sluice_batch_set_stop_strings(const sluice_batch *batch, const uint8_t *const *strings,
                                            const size_t *lengths, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_set_stop_strings(batch, strings, lengths, error);
}

sluice_status sluice_batch_rollback(const sluice_batch *batch, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_rollback(batch, error);
}

sluice_status sluice_batch_fill_chains(const sluice_batch *batch, uint32_t patience, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_fill_chains(batch, patience, error);
}

sluice_status sluice_batch_fill_trees(const sluice_batch *batch, const sluice_trees *trees, uint32_t patience,
                                      sluice_error *error) {
  REFUSE_FORKED(error);
  return go_batch_fill_trees(batch, trees, patience, error);
}

sluice_status sluice_grammar_start(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                   const char *options, size_t options_length, uint32_t patience,
                                   sluice_grammar *grammar, sluice_job *job, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_grammar_start(compiler, kind, spec, spec_length, options, options_length, patience, grammar, job, error);
}

sluice_status sluice_job_wait(sluice_job job, uint32_t patience, sluice_grammar *grammar, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_job_wait(job, patience, grammar, error);
}

sluice_status sluice_job_free(sluice_job job) {
  REFUSE_FORKED(NULL);
  return go_job_free(job);
}

sluice_status sluice_job_notify(sluice_job job, int32_t descriptor, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_job_notify(job, descriptor, error);
}

sluice_status sluice_job_cancel(sluice_job job) {
  REFUSE_FORKED(NULL);
  return go_job_cancel(job);
}

sluice_status sluice_grammar_find(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                  const char *options, size_t options_length, sluice_grammar *grammar,
                                  sluice_error *error) {
  REFUSE_FORKED(error);
  return go_grammar_find(compiler, kind, spec, spec_length, options, options_length, grammar, error);
}

sluice_status sluice_compiler_cache(sluice_compiler compiler, sluice_cache_facts *facts, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_cache(compiler, facts, error);
}

sluice_status sluice_compiler_clear(sluice_compiler compiler, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_clear(compiler, error);
}

sluice_status sluice_compiler_get_stats(sluice_compiler compiler, sluice_compiler_stats *stats, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_get_stats(compiler, stats, error);
}

sluice_status sluice_compiler_prometheus(sluice_compiler compiler, char *text, size_t capacity, size_t *length,
                                         sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_prometheus(compiler, text, capacity, length, error);
}

sluice_status sluice_compiler_stats_message(sluice_compiler compiler, uint8_t *message, size_t capacity, size_t *length,
                                            sluice_error *error) {
  REFUSE_FORKED(error);
  return go_compiler_stats_message(compiler, message, capacity, length, error);
}

/* ---------------------------------------------------------------------------------------------------- devices ---- */

sluice_status sluice_devices(sluice_devices_facts *facts, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_devices(facts, error);
}

sluice_status sluice_device_info(uint32_t index, sluice_device_facts *facts, sluice_error *error) {
  REFUSE_FORKED(error);
  return go_device_info(index, facts, error);
}
