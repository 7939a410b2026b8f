/* statuses_jobs.h: a part of statuses.c: jobs and the cache of grammars. It uses the names of that program, which
 * includes it once. */
#ifndef SLUICE_TESTS_STATUSES_JOBS_H
#define SLUICE_TESTS_STATUSES_JOBS_H

/* A job that takes long, to be given up. */
static sluice_job long_job(const char *text, size_t length) {
  sluice_job job = 0;
  sluice_grammar g = 0;
  CHECK_STATUS(SLUICE_E_UNFINISHED,
               sluice_grammar_start(compiler, SLUICE_KIND_CHOICE, text, length, NULL, 0, 1, &g, &job, &error));
  return job;
}

static void test_jobs(void) {
  sluice_grammar g = 0;
  char *large = malloc(8u << 20); /* a million strings */
  CHECK(large != NULL);
  size_t length = 0;
  for (int i = 0; length < (8u << 20) - 32; i++) {
    length += (size_t)snprintf(large + length, 32, "%c\"%d\"", i == 0 ? '[' : ',', i * 7919 % 10000019);
  }
  large[length++] = ']';
  sluice_job job = long_job(large, length);
  GIVES(sluice_job_wait, SLUICE_E_UNFINISHED, (job, 1, &g, &error));
  GIVES(sluice_job_wait, SLUICE_E_ARGUMENT, (job, 0, NULL, &error));
  GIVES(sluice_job_free, SLUICE_OK, (job));
  GIVES(sluice_job_free, SLUICE_E_HANDLE, (job));
  GIVES(sluice_job_wait, SLUICE_E_HANDLE, (job, 0, &g, &error));
  GIVES(sluice_job_cancel, SLUICE_E_HANDLE, (job));
  GIVES(sluice_job_notify, SLUICE_E_HANDLE, (job, 1, &error));

  int ends[2];
  uint64_t told = 0;
  CHECK(pipe(ends) == 0);
  job = long_job(large, length);
  GIVES(sluice_job_notify, SLUICE_OK, (job, ends[1], &error));
  GIVES(sluice_job_notify, SLUICE_E_IO, (job, -1, &error));
  CHECK(close(ends[1]) == 0); /* the library has its own */
  GIVES(sluice_job_cancel, SLUICE_OK, (job));
  CHECK(read(ends[0], &told, sizeof told) == sizeof told && told == job);
  CHECK(read(ends[0], &told, sizeof told) == 0);
  close(ends[0]);
  CHECK_STATUS(SLUICE_OK, sluice_job_cancel(job)); /* it is over, and nobody has asked for its result */
  GIVES(sluice_job_wait, SLUICE_E_CANCELLED, (job, 0, &g, &error));
  GIVES(sluice_job_wait, SLUICE_E_HANDLE, (job, 0, &g, &error));
  free(large);
}

/* The number of entries of a folder of /proc; 0 if there is none. */
static int entries(const char *folder) {
  DIR *d = opendir(folder);
  int count = 0;
  while (d != NULL && readdir(d) != NULL) {
    count++;
  }
  if (d != NULL) {
    closedir(d);
  }
  return count;
}

/* Jobs that are told of on a pipe that nobody reads take neither a thread nor a descriptor each. */
static void test_full_pipe(void) {
  enum { JOBS = 200 };
  static sluice_job job[JOBS];
  static char full[1 << 20];
  int ends[2];
  sluice_grammar g = 0;
  CHECK(pipe(ends) == 0);
  int flags = fcntl(ends[1], F_GETFL);
  CHECK(fcntl(ends[1], F_SETFL, flags | O_NONBLOCK) == 0);
  size_t before = 0;
  for (ssize_t wrote; (wrote = write(ends[1], full, sizeof full)) > 0;) {
    before += (size_t)wrote;
  }
  CHECK(before > 0 && before < sizeof full && fcntl(ends[1], F_SETFL, flags) == 0);
  int descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
  for (int i = 0; i < JOBS; i++) {
    char text[32];
    int length = snprintf(text, sizeof text, "full{%d}", i);
    CHECK_STATUS(SLUICE_E_UNFINISHED, sluice_grammar_start(compiler, SLUICE_KIND_REGEX, text, (size_t)length, NULL, 0,
                                                           0, &g, &job[i], &error));
    CHECK_STATUS(SLUICE_OK, sluice_job_notify(job[i], ends[1], &error));
    CHECK_STATUS(SLUICE_OK, sluice_job_wait(job[i], UINT32_MAX, &g, &error));
    CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  }
  CHECK(entries("/proc/self/fd") <= descriptors + 1);
  CHECK(entries("/proc/self/task") < threads + JOBS / 2);
  close(ends[1]);
  size_t read_bytes = 0;
  for (ssize_t got; (got = read(ends[0], full, sizeof full)) > 0;) {
    read_bytes += (size_t)got;
  }
  CHECK(read_bytes == before + JOBS * sizeof(uint64_t));
  close(ends[0]);
}

static void test_cache(void) {
  sluice_grammar g = 0, kept = 0;
  sluice_cache_facts facts = {.struct_size = sizeof facts};
  sluice_compiler fresh = small_compiler(), off = 0;
  for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
    if (specs[i].want == SLUICE_E_LIMIT || specs[i].want == SLUICE_E_ARGUMENT) {
      continue; /* not kept */
    }
    size_t length;
    char *text = padded(i, 3, &length);
    GIVES(sluice_grammar_find, SLUICE_E_UNFINISHED, (fresh, specs[i].kind, text, length, NULL, 0, &g, &error));
    CHECK_STATUS(specs[i].want, sluice_grammar_compile(fresh, specs[i].kind, text, length, NULL, 0, &g, &error));
    gives("sluice_grammar_find", specs[i].want, specs[i].name,
          sluice_grammar_find(fresh, specs[i].kind, text, length, NULL, 0, &kept, &error), __LINE__);
    free(text);
  }
  CHECK(kept != 0 && kept != g);
  GIVES(sluice_grammar_find, SLUICE_E_ARGUMENT, (fresh, SLUICE_KIND_REGEX, "a", 1, "{\"x\": 1}", 8, &g, &error));
  GIVES(sluice_grammar_find, SLUICE_E_HANDLE, (0, SLUICE_KIND_REGEX, "a", 1, NULL, 0, &g, &error));
  GIVES(sluice_compiler_cache, SLUICE_OK, (fresh, &facts, &error));
  CHECK(facts.hits == 5 && facts.misses == 5 && facts.entries == 5 && facts.evictions == 0 && facts.joined == 0);
  CHECK(facts.bytes > 5 * 32 && facts.bytes <= facts.limit);
  CHECK(facts.token_set_bytes > 0 && facts.token_set_bytes <= 64 << 20);
  GIVES(sluice_compiler_cache, SLUICE_E_ARGUMENT, (fresh, NULL, &error));
  GIVES(sluice_compiler_cache, SLUICE_E_HANDLE, (0, &facts, &error));
  GIVES(sluice_compiler_clear, SLUICE_E_HANDLE, (0, &error));
  GIVES(sluice_compiler_clear, SLUICE_OK, (fresh, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_cache(fresh, &facts, &error));
  CHECK(facts.entries == 0 && facts.bytes == 0 && facts.misses == 5);
  sluice_matcher m = new_matcher(kept); /* handles in use stay */
  CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(m, (const uint8_t *)"aaab", 4, &error));

  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(vocabulary, "{\"cache_bytes\": 0}", 18, &off, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(off, SLUICE_KIND_REGEX, "a", 1, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_E_UNFINISHED, sluice_grammar_find(off, SLUICE_KIND_REGEX, "a", 1, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_cache(off, &facts, &error));
  CHECK(facts.limit == 0 && facts.misses == 0 && facts.entries == 0);
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(off));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(fresh));
}

static void test_stats(void) {
  sluice_grammar g = 0;
  sluice_compiler_stats stats = {.struct_size = sizeof stats};
  sluice_compiler c = small_compiler();
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(c, SLUICE_KIND_REGEX, "a+b", 3, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_E_SYNTAX, sluice_grammar_compile(c, SLUICE_KIND_REGEX, "(a", 2, NULL, 0, &g, &error));
  sluice_matcher m = new_matcher(g);
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
  }
  CHECK_STATUS(SLUICE_E_REJECTED, sluice_matcher_accept_token(m, 'x'));
  GIVES(sluice_compiler_get_stats, SLUICE_OK, (c, &stats, &error));
  CHECK(stats.masks == 0 && stats.masks_made.count == 1 && stats.compilations.count == 2);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m)); /* adds the masks */
  CHECK_STATUS(SLUICE_OK, sluice_compiler_get_stats(c, &stats, &error));
  CHECK(stats.masks == 3 && stats.refusals[SLUICE_E_REJECTED] == 1 && stats.refusals[SLUICE_E_SYNTAX] == 1);
  CHECK(stats.cache_misses == 2 && stats.cache_entries == 2 && stats.compilations.sum_ns > 0);
  CHECK(stats.cache_bytes == stats.state_bytes + stats.mask_bytes + stats.program_bytes && stats.trie_bytes > 0);
  uint64_t all = 0;
  for (int i = 0; i < SLUICE_HISTOGRAM_BUCKETS; i++) {
    all += stats.compilations.counts[i];
  }
  CHECK(all == 2);
  GIVES(sluice_compiler_get_stats, SLUICE_E_ARGUMENT, (c, NULL, &error));
  GIVES(sluice_compiler_get_stats, SLUICE_E_HANDLE, (0, &stats, &error));

  char text[1 << 14], start[20];
  GIVES(sluice_compiler_prometheus, SLUICE_OK, (c, text, sizeof text, &n, &error));
  CHECK(n > 1000 && n < sizeof text);
  text[n] = 0;
  CHECK(strstr(text, "\nsluice_masks_total 3\n") != NULL);
  CHECK_STATUS(SLUICE_OK, sluice_compiler_prometheus(c, start, sizeof start, NULL, &error));
  CHECK(memcmp(start, text, sizeof start) == 0);
  GIVES(sluice_compiler_prometheus, SLUICE_E_ARGUMENT, (c, NULL, 1, &n, &error));
  GIVES(sluice_compiler_prometheus, SLUICE_E_HANDLE, (0, NULL, 0, &n, &error));

  uint8_t message[1 << 10];
  GIVES(sluice_compiler_stats_message, SLUICE_OK, (c, message, sizeof message, &n, &error));
  CHECK(n > 100 && n < sizeof message && message[0] == (1 << 3 | 2)); /* field 1 has a length */
  GIVES(sluice_compiler_stats_message, SLUICE_E_ARGUMENT, (c, NULL, 1, &n, &error));
  GIVES(sluice_compiler_stats_message, SLUICE_E_HANDLE, (0, NULL, 0, &n, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(c));
}

#endif /* SLUICE_TESTS_STATUSES_JOBS_H */
