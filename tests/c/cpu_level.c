/* cpu_level.c: the library uses the best kernels that this machine can run, judged by the flags that Linux shows in
 * /proc/cpuinfo. Linux leaves a flag out if it does not save the registers that the instructions use. */
#include "support.h"

/* has tells whether word is one of the words of line. */
static int has(const char *line, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(line, word); at != NULL; at = strstr(at + 1, word)) {
    if ((at == line || strchr(" \t:", at[-1]) != NULL) && strchr(" \t\n", at[length]) != NULL) {
      return 1;
    }
  }
  return 0;
}

static uint32_t wanted(void) {
#if defined(__aarch64__)
  return SLUICE_CPU_NEON;
#else
  static char line[1 << 16];
  FILE *file = fopen("/proc/cpuinfo", "r");
  CHECK(file != NULL);
  do {
    CHECK(fgets(line, sizeof(line), file) != NULL);
  } while (strncmp(line, "flags", 5) != 0);
  fclose(file);
  CHECK(has(line, "fpu") && !has(line, "fp"));
  int avx2 = has(line, "avx2") && has(line, "bmi1");
  int avx512 = avx2 && has(line, "avx512f") && has(line, "avx512bw") && has(line, "avx512vl");
  return avx512 ? SLUICE_CPU_AVX512 : avx2 ? SLUICE_CPU_AVX2 : SLUICE_CPU_GENERIC;
#endif
}

int main(void) {
  static const char *const names[] = {"best", "generic", "avx2", "avx512", "neon"};
  uint32_t want = wanted(), got = sluice_cpu_level();
  CHECK(got < sizeof(names) / sizeof(names[0]));
  printf("the library uses %s, this machine runs %s\n", names[got], names[want]);
  CHECK(got == want);
  return 0;
}
