/* first_structs.h: the structs of the header as first published, ABI 1, as an old program was compiled with them.
 * This file never changes. structs.c is an old program by it, for every later header. */
#ifndef SLUICE_TESTS_FIRST_STRUCTS_H
#define SLUICE_TESTS_FIRST_STRUCTS_H

#include <sluice.h>

typedef struct first_error {
  uint32_t struct_size;
  sluice_status code;
  uint32_t has_pointer;
  uint32_t line;
  uint32_t column;
  uint32_t pointer_length;
  uint64_t offset;
  uint32_t source_length;
  uint32_t keyword_length;
  uint32_t fragment_length;
  uint32_t message_length;
  char source[64];
  char keyword[128];
  char fragment[256];
  char pointer[512];
  char message[1024];
} first_error;

typedef struct first_vocabulary_config {
  uint32_t struct_size;
  uint32_t n_tokens;
  const uint8_t *bytes;
  const uint64_t *offsets;
  const uint8_t *flags;
  const uint32_t *end_tokens;
  size_t n_end_tokens;
  uint32_t padded_size;
  uint32_t reserved;
} first_vocabulary_config;

typedef struct first_vocabulary_options {
  uint32_t struct_size;
  uint32_t padded_size;
  const uint32_t *end_tokens;
  size_t n_end_tokens;
} first_vocabulary_options;

typedef struct first_vocabulary_facts {
  uint32_t struct_size;
  uint32_t size;
  uint32_t padded_size;
  uint32_t mask_words;
  uint32_t n_end_tokens;
  uint32_t n_special_tokens;
  uint32_t max_token_length;
  uint32_t reserved;
  uint8_t hash[32];
} first_vocabulary_facts;

typedef struct first_grammar_facts {
  uint32_t struct_size;
  uint32_t n_notes;
  uint64_t states;
  uint64_t bytes;
  uint64_t compile_ns;
} first_grammar_facts;

typedef struct first_note {
  uint32_t struct_size;
  uint32_t effect;
  uint32_t pointer_length;
  uint32_t keyword_length;
  uint32_t text_length;
  uint32_t reserved;
  char keyword[128];
  char pointer[512];
  char text[1024];
} first_note;

typedef struct first_matcher_options {
  uint32_t struct_size;
  uint32_t flags;
  const uint32_t *stop_tokens;
  size_t n_stop_tokens;
} first_matcher_options;

typedef struct first_batch {
  uint32_t struct_size;
  uint32_t threads;
  size_t n;
  const sluice_matcher *matchers;
  const int32_t *rows;
  uint32_t *masks;
  size_t n_rows;
  size_t row_words;
  size_t words;
  sluice_status *statuses;
  uint8_t *constrained;
} first_batch;

typedef struct first_trees {
  uint32_t struct_size;
  uint32_t nodes;
  const int64_t *next_token;
  const int64_t *next_sibling;
  const int64_t *tokens;
  size_t stride;
} first_trees;

typedef struct first_apply_args {
  uint32_t struct_size;
  uint32_t dtype;
  uint32_t flags;
  uint32_t threads;
  void *logits;
  void *const *logit_rows;
  size_t n_logit_rows;
  size_t logit_stride;
  size_t vocab_size;
  const uint32_t *masks;
  const uint32_t *const *mask_rows;
  size_t n_mask_rows;
  size_t mask_stride;
  size_t mask_words;
  size_t covered;
  size_t n;
  const int32_t *logit_index;
  const int32_t *mask_index;
  const int32_t *enabled;
  const int32_t *token_map;
  uint32_t level;
  uint32_t reserved;
} first_apply_args;

typedef struct first_sparse_args {
  uint32_t struct_size;
  uint32_t dtype;
  uint32_t flags;
  uint32_t reserved;
  const int32_t *ids;
  size_t id_step;
  void *logits;
  size_t logit_step;
  size_t n;
  const uint32_t *mask;
  size_t mask_words;
  size_t covered;
} first_sparse_args;

typedef struct first_cuda_pool_options {
  uint32_t struct_size;
  int32_t device;
  uint32_t mask_words;
  uint32_t slots;
  uint32_t staging;
  uint32_t reserved;
} first_cuda_pool_options;

typedef struct first_cuda_put {
  uint32_t struct_size;
  uint32_t reserved;
  sluice_cuda_pool pool;
  void *stream;
  size_t n;
  const sluice_mask_key *keys;
  const uint32_t *masks;
  size_t mask_stride;
  int32_t *ids;
  uint64_t ticket;
} first_cuda_put;

typedef struct first_cuda_pool_use {
  uint32_t struct_size;
  uint32_t ids_on_device;
  sluice_cuda_pool pool;
  const int32_t *ids;
  uint64_t ticket;
} first_cuda_pool_use;

typedef struct first_cuda_pool_facts {
  uint32_t struct_size;
  uint32_t mask_words;
  uint32_t slots;
  uint32_t resident;
  uint32_t open_tickets;
  uint32_t staging;
  uint64_t device_bytes;
  uint64_t hits;
  uint64_t uploads;
  uint64_t uploaded_bytes;
  uint64_t evictions;
  uint64_t refused;
} first_cuda_pool_facts;

typedef struct first_device_facts {
  uint32_t struct_size;
  uint32_t compute_major;
  uint32_t compute_minor;
  uint32_t compute_percent;
  uint32_t memory_percent;
  uint32_t reserved;
  uint64_t memory_total;
  uint64_t memory_free;
  char name[96];
  char uuid[96];
  char bus[32];
} first_device_facts;

typedef struct first_devices_facts {
  uint32_t struct_size;
  uint32_t n_devices;
  uint32_t cuda_major;
  uint32_t cuda_minor;
  char driver[80];
  char reason[256];
} first_devices_facts;

typedef struct first_cache_facts {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t hits;
  uint64_t misses;
  uint64_t joined;
  uint64_t evictions;
  uint64_t entries;
  uint64_t bytes;
  uint64_t limit;
} first_cache_facts;

typedef struct first_compiler_stats {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t histograms[3][25];
  uint64_t counts[16];
  uint64_t refusals[32];
  uint64_t tokens[2];
} first_compiler_stats;

typedef struct first_reasoning {
  uint32_t struct_size;
  uint32_t flags;
  const uint32_t *end;
  size_t n_end;
  const uint32_t *begin;
  size_t n_begin;
  uint32_t budget;
  uint32_t reserved;
} first_reasoning;

#endif /* SLUICE_TESTS_FIRST_STRUCTS_H */
