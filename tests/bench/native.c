/* native.c: the benchmark at the C interface, with no other language in the loop.
 *
 *     native JOBS TOKENIZER OUT.jsonl [--twice]
 *
 * JOBS is what jobs.py writes: constraints and the token ids of their instances. The walk is the one of a decoding
 * loop: fill the mask, look the token up, accept it; a valid instance must get through and be allowed to end, an
 * invalid one must not. Every fill is timed alone. OUT gets one JSON line a job, of the shape that worker.py
 * writes, so that report.py reads both.
 *
 * With --twice each instance is walked a second time: every mask of that walk has been computed before, so its times
 * are times of the cache. A fill of the first walk counts as cold when the grammar grew during it or the accept before.
 *
 * It starts at main(); the file is read by the functions named take_*. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sluice.h"

typedef struct {
  const uint8_t *at, *end;
} reader;

typedef struct {
  uint64_t *at;
  size_t n, capacity;
} times;

typedef struct {
  times fills, again;
  uint8_t *cold; /* one for each of fills */
  size_t cold_capacity;
  uint64_t valid_rejected, invalid_accepted, tokens;
  uint64_t first_done; /* process time right after the first fill; 0: none yet */
} outcome;

typedef struct {
  sluice_vocabulary vocabulary;
  sluice_compiler compiler;
  uint32_t *row;
  size_t words;
  uint32_t *end_tokens;
  uint32_t n_end_tokens;
  uint64_t reading; /* of the clock; fills are less it */
  int twice;
  FILE *out;
  const char *id; /* of the job that is run, not terminated */
  size_t id_length;
  sluice_error error;
} bench;

static void die(const char *what, const sluice_error *error) {
  fprintf(stderr, "native: %s%s%s\n", what, error ? ": " : "", error ? error->message : "");
  exit(1);
}

static void *need(void *memory) {
  if (!memory) die("out of memory", NULL);
  return memory;
}

static uint64_t at(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* CPU time: other programs on the machine do not count. A fill is timed on its thread, a compilation in the process. */
static uint64_t now(void) { return at(CLOCK_THREAD_CPUTIME_ID); }
static uint64_t process_now(void) { return at(CLOCK_PROCESS_CPUTIME_ID); }

static int less(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* reading is what taking the time takes: the median of many. */
static uint64_t reading(void) {
  enum { N = 2001 };
  static uint64_t found[N];
  for (int i = 0; i < N; i++) {
    uint64_t start = now();
    found[i] = now() - start;
  }
  qsort(found, N, sizeof *found, less);
  return found[N / 2];
}

static void push(times *t, uint64_t ns) {
  if (t->n == t->capacity) {
    t->capacity = t->capacity ? 2 * t->capacity : 1024;
    t->at = need(realloc(t->at, t->capacity * sizeof *t->at));
  }
  t->at[t->n++] = ns;
}

static const uint8_t *take(reader *r, size_t n) {
  const uint8_t *p = r->at;
  if ((size_t)(r->end - r->at) < n) die("the job file is cut short", NULL);
  r->at += n;
  return p;
}

static uint32_t take_u32(reader *r) {
  const uint8_t *p = take(r, 4);
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const char *take_text(reader *r, size_t *length) {
  *length = take_u32(r);
  return (const char *)take(r, *length);
}

/* take_ids copies, because the file gives no alignment. */
static int32_t *take_ids(reader *r, uint32_t *n) {
  *n = take_u32(r);
  const uint8_t *raw = take(r, (size_t)*n * 4);
  int32_t *ids = need(malloc((size_t)*n * 4 + 4));
  memcpy(ids, raw, (size_t)*n * 4);
  return ids;
}

static void put_text(FILE *out, const char *text, size_t n) {
  fputc('"', out);
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static void put_times(FILE *out, const char *name, const times *t) {
  fprintf(out, ", \"%s\": [", name);
  for (size_t i = 0; i < t->n; i++) fprintf(out, i ? ",%" PRIu64 : "%" PRIu64, t->at[i]);
  fputc(']', out);
}

static int allowed(const bench *b, int32_t id) {
  size_t word = (size_t)(uint32_t)id / 32;
  return id >= 0 && word < b->words && (b->row[word] >> ((uint32_t)id % 32) & 1);
}

static int may_end(const bench *b) {
  for (uint32_t i = 0; i < b->n_end_tokens; i++)
    if (allowed(b, (int32_t)b->end_tokens[i])) return 1;
  return 0;
}

/* size_of is a number that changes whenever the grammar learns something. */
static uint64_t size_of(bench *b, sluice_grammar grammar) {
  sluice_grammar_facts facts = {0};
  facts.struct_size = sizeof facts;
  if (sluice_grammar_info(grammar, &facts, &b->error)) die("info", &b->error);
  return facts.states * 0x100000000u + facts.bytes;
}

/* timed_fill fills the row and files the time it took; *grown is the size of the grammar so far. */
static void timed_fill(bench *b, sluice_grammar grammar, sluice_matcher matcher, times *t, outcome *o,
                       uint64_t *grown) {
  uint64_t start = now();
  sluice_status status = sluice_matcher_fill(matcher, b->row, b->words, NULL, &b->error);
  uint64_t took = now() - start;
  if (!o->first_done) o->first_done = process_now();
  push(t, took > b->reading ? took - b->reading : 0);
  if (status) { /* a dead end that a note announced, or a budget: nothing is allowed then, and the reader is told */
    fprintf(stderr, "native: %.*s: %s\n", (int)b->id_length, b->id, b->error.message);
    memset(b->row, 0, b->words * sizeof *b->row);
  }
  if (!b->twice || t != &o->fills) return;
  if (o->cold_capacity < t->capacity) {
    o->cold_capacity = t->capacity;
    o->cold = need(realloc(o->cold, o->cold_capacity));
  }
  uint64_t size = size_of(b, grammar);
  o->cold[t->n - 1] = size != *grown;
  *grown = size;
}

/* walk takes one instance through a new matcher; says whether it was accepted as a whole. */
static int walk(bench *b, sluice_grammar grammar, const int32_t *ids, uint32_t n, times *t, outcome *o) {
  sluice_matcher matcher;
  uint64_t grown = 0;
  if (sluice_matcher_new(grammar, NULL, &matcher, &b->error)) die("matcher", &b->error);
  int ok = 1;
  for (uint32_t i = 0; i < n && ok; i++) {
    timed_fill(b, grammar, matcher, t, o, &grown);
    ok = allowed(b, ids[i]) && sluice_matcher_accept_token(matcher, ids[i]) == SLUICE_OK;
    if (ok && t == &o->fills) o->tokens++;
  }
  if (ok) {
    timed_fill(b, grammar, matcher, t, o, &grown);
    ok = may_end(b);
  }
  sluice_matcher_free(matcher);
  return ok;
}

static void put_outcome(bench *b, sluice_grammar grammar, const outcome *o, uint64_t start, uint64_t compile_ns) {
  sluice_grammar_facts facts = {0};
  facts.struct_size = sizeof facts;
  if (sluice_grammar_info(grammar, &facts, &b->error)) die("info", &b->error);
  fprintf(b->out,
          ", \"outcome\": \"ok\", \"compile_ns\": %" PRIu64 ", \"valid_rejected\": %" PRIu64
          ", \"invalid_accepted\": %" PRIu64 ", \"tokens\": %" PRIu64 ", \"states\": %" PRIu64 ", \"bytes\": %" PRIu64
          ", \"notes\": %" PRIu32,
          compile_ns, o->valid_rejected, o->invalid_accepted, o->tokens, facts.states, facts.bytes, facts.n_notes);
  if (o->fills.n) fprintf(b->out, ", \"first_mask_ns\": %" PRIu64, o->first_done - start);
  fprintf(b->out, ", \"cpu_ns\": %" PRIu64, process_now() - start);
  put_times(b->out, "fills", &o->fills);
  if (b->twice) {
    put_times(b->out, "again", &o->again);
    fputs(", \"cold\": \"", b->out);
    for (size_t i = 0; i < o->fills.n; i++) fputc('0' + o->cold[i], b->out);
    fputc('"', b->out);
  }
}

static void run_tests(bench *b, reader *r, sluice_grammar grammar, outcome *o, FILE *bad) {
  uint32_t n = take_u32(r);
  int first = 1;
  for (uint32_t k = 0; k < n; k++) {
    int valid = *take(r, 1);
    uint32_t n_ids;
    int32_t *ids = take_ids(r, &n_ids);
    if (grammar) {
      int ok = walk(b, grammar, ids, n_ids, &o->fills, o);
      if (b->twice) walk(b, grammar, ids, n_ids, &o->again, o);
      if (ok != valid) {
        (valid ? &o->valid_rejected : &o->invalid_accepted)[0]++;
        fprintf(bad, first ? "%" PRIu32 : ",%" PRIu32, k);
        first = 0;
      }
    }
    free(ids);
  }
}

static void run_job(bench *b, reader *r) {
  size_t id_length, spec_length, options_length, bad_length;
  const char *id = take_text(r, &id_length);
  uint32_t kind = take_u32(r);
  const char *spec = take_text(r, &spec_length);
  const char *options = take_text(r, &options_length);
  char *bad_text = NULL;
  FILE *bad = need(open_memstream(&bad_text, &bad_length));
  sluice_grammar grammar = 0;
  outcome o;
  memset(&o, 0, sizeof o);
  uint64_t start = process_now();
  sluice_status status = sluice_grammar_compile(b->compiler, kind, spec, spec_length, options_length ? options : NULL,
                                                options_length, &grammar, &b->error);
  uint64_t compile_ns = process_now() - start;
  b->id = id;
  b->id_length = id_length;
  fputs("{\"id\": ", b->out);
  put_text(b->out, id, id_length);
  run_tests(b, r, status ? 0 : grammar, &o, bad);
  fclose(bad);
  if (status) {
    fprintf(b->out,
            ", \"outcome\": \"unsupported\", \"compile_ns\": %" PRIu64 ", \"fills\": [], \"error\": ", compile_ns);
    put_text(b->out, b->error.message, strlen(b->error.message));
  } else {
    put_outcome(b, grammar, &o, start, compile_ns);
    fprintf(b->out, ", \"bad\": [%s]", bad_text);
    sluice_grammar_free(grammar);
  }
  fputs("}\n", b->out);
  free(bad_text);
  free(o.fills.at);
  free(o.again.at);
  free(o.cold);
}

static uint8_t *slurp(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (!f || fseek(f, 0, SEEK_END)) die(path, NULL);
  *length = (size_t)ftell(f);
  rewind(f);
  uint8_t *data = need(malloc(*length + 1));
  if (fread(data, 1, *length, f) != *length) die(path, NULL);
  fclose(f);
  return data;
}

/* empty_call measures what entering and leaving the library costs: an id that no vocabulary has. */
static double empty_call(bench *b) {
  sluice_grammar grammar;
  sluice_matcher matcher;
  enum { N = 200000 };
  if (sluice_grammar_compile(b->compiler, SLUICE_KIND_CHOICE, "[\"a\"]", 5, NULL, 0, &grammar, &b->error))
    die("choice", &b->error);
  if (sluice_matcher_new(grammar, NULL, &matcher, &b->error)) die("matcher", &b->error);
  uint64_t start = now();
  for (int i = 0; i < N; i++) (void)sluice_matcher_accept_token(matcher, -1);
  double ns = (double)(now() - start) / N;
  sluice_matcher_free(matcher);
  sluice_grammar_free(grammar);
  return ns;
}

static void open_engine(bench *b, reader *r, const char *tokenizer) {
  sluice_vocabulary_options options = {0};
  sluice_vocabulary_facts facts = {0};
  static const char uncached[] = "{\"cache_bytes\": 0}"; /* times of compilations, not of the cache */
  options.struct_size = sizeof options;
  facts.struct_size = sizeof facts;
  b->end_tokens = (uint32_t *)take_ids(r, &b->n_end_tokens);
  options.end_tokens = b->end_tokens;
  options.n_end_tokens = b->n_end_tokens;
  if (sluice_vocabulary_from_file(tokenizer, strlen(tokenizer), &options, &b->vocabulary, &b->error) ||
      sluice_vocabulary_info(b->vocabulary, &facts, &b->error) ||
      sluice_compiler_new(b->vocabulary, uncached, strlen(uncached), &b->compiler, &b->error))
    die(tokenizer, &b->error);
  b->words = facts.mask_words;
  b->row = need(calloc(b->words, 4));
}

int main(int argc, char **argv) {
  static bench b;
  size_t length;
  if (argc < 4) die("usage: native JOBS TOKENIZER OUT.jsonl [--twice]", NULL);
  uint8_t *data = slurp(argv[1], &length);
  reader r = {data, data + length};
  if (memcmp(take(&r, 8), "SLJOBS1\n", 8) != 0) die("not a job file", NULL);
  b.twice = argc > 4 && strcmp(argv[4], "--twice") == 0;
  b.error.struct_size = sizeof b.error;
  b.out = need(fopen(argv[3], "w"));
  uint64_t start = process_now();
  open_engine(&b, &r, argv[2]);
  uint64_t loaded = process_now() - start;
  b.reading = reading();
  fprintf(b.out, "{\"engine\": \"sluice-c\", \"version\": \"%s\", \"load_ns\": %" PRIu64, sluice_version(), loaded);
  fprintf(b.out, ", \"clock_ns\": %" PRIu64 ", \"noop_ns\": %.1f}\n", b.reading, empty_call(&b));
  for (uint32_t n = take_u32(&r); n > 0; n--) run_job(&b, &r);
  if (fclose(b.out)) die("the results could not be written", NULL);
  free(b.row);
  free(b.end_tokens);
  free(data);
  return 0;
}
