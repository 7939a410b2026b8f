/* startup TOKENIZER…: the cost of a process before its first constraint, in CPU time of all threads.
 * `make lab NAME=startup` runs it. */
#define _POSIX_C_SOURCE 199309L
#include <sluice.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
  static sluice_error error = {.struct_size = sizeof error};
  double loaded = cpu();
  printf("load the library: %.1f ms\n", loaded);
  for (int i = 1; i < argc; i++) {
    sluice_vocabulary vocabulary;
    sluice_compiler compiler;
    sluice_vocabulary_facts facts = {.struct_size = sizeof facts};
    double start = cpu();
    if (sluice_vocabulary_from_file(argv[i], strlen(argv[i]), NULL, &vocabulary, &error) != SLUICE_OK) {
      fprintf(stderr, "%s\n", error.message);
      return 1;
    }
    double read = cpu();
    if (sluice_compiler_new(vocabulary, NULL, 0, &compiler, &error) != SLUICE_OK ||
        sluice_vocabulary_info(vocabulary, &facts, &error) != SLUICE_OK) {
      fprintf(stderr, "%s\n", error.message);
      return 1;
    }
    printf("%s, %u tokens: vocabulary %.0f ms, compiler %.0f ms\n", argv[i], facts.size, read - start, cpu() - read);
    sluice_compiler_free(compiler);
    sluice_vocabulary_free(vocabulary);
  }
  return 0;
}
