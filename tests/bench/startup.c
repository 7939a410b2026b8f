/* startup TOKENIZER…: the cost of a process before its first constraint, and the same from a saved compiler.
 * `make lab NAME=startup` runs it. */
#define _POSIX_C_SOURCE 199309L
#include <sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sluice_error error = {.struct_size = sizeof error};

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* cpu is the time of all threads. */
static double cpu(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }
static double wall(void) { return now(CLOCK_MONOTONIC); }

static void check(sluice_status status) {
  if (status != SLUICE_OK) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
}

/* compile waits for all that a compiler prepares. */
static void compile(sluice_compiler compiler) {
  sluice_grammar grammar;
  check(sluice_grammar_compile(compiler, SLUICE_KIND_ANY_JSON, NULL, 0, NULL, 0, &grammar, &error));
  check(sluice_grammar_free(grammar));
}

/* load measures the calls for a saved compiler, and the CPU time until it has compiled. */
static void load(const uint8_t *file, size_t length) {
  sluice_vocabulary vocabulary;
  sluice_compiler compiler;
  double start = wall(), spent = cpu();
  check(sluice_vocabulary_from_data(SLUICE_FORMAT_SLUICE, file, length, NULL, &vocabulary, &error));
  double read = wall();
  check(sluice_compiler_load(vocabulary, file, length, NULL, 0, &compiler, &error));
  double loaded = wall();
  compile(compiler);
  printf("  saved, %zu KB: vocabulary %.1f ms, compiler %.1f ms, compiled after %.0f ms, CPU %.0f ms\n", length / 1000,
         read - start, loaded - read, wall() - start, cpu() - spent);
  check(sluice_compiler_free(compiler));
  check(sluice_vocabulary_free(vocabulary));
}

int main(int argc, char **argv) {
  printf("load the library: CPU %.1f ms\n", cpu());
  for (int i = 1; i < argc; i++) {
    sluice_vocabulary vocabulary;
    sluice_compiler compiler;
    sluice_vocabulary_facts facts = {.struct_size = sizeof facts};
    double start = cpu();
    check(sluice_vocabulary_from_file(argv[i], strlen(argv[i]), NULL, &vocabulary, &error));
    double read = cpu();
    check(sluice_compiler_new(vocabulary, NULL, 0, &compiler, &error));
    double made = cpu();
    check(sluice_vocabulary_info(vocabulary, &facts, &error));
    printf("%s, %u tokens: vocabulary CPU %.0f ms, compiler CPU %.0f ms\n", argv[i], facts.size, read - start,
           made - read);
    compile(compiler);
    size_t length = 0;
    check(sluice_compiler_save(compiler, NULL, 0, &length, &error));
    uint8_t *file = malloc(length);
    check(sluice_compiler_save(compiler, file, length, &length, &error));
    check(sluice_compiler_free(compiler));
    check(sluice_vocabulary_free(vocabulary));
    for (int round = 0; round < 3; round++) {
      load(file, length);
    }
    free(file);
  }
  return 0;
}
