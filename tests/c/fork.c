/* A forked child never hangs: every call that needs Go's runtime is refused at once, from the thread that forked and from
 * new ones; what needs no runtime works; and the parent goes on as before. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static sluice_compiler compiler;
static sluice_grammar grammar;
static sluice_matcher matcher;

static void *in_child(void *unused) {
  (void)unused;
  sluice_error mine = {.struct_size = sizeof mine};
  uint32_t row[WORDS];
  sluice_matcher m = 0;
  sluice_grammar g = 0;
  CHECK(sluice_matcher_fill(matcher, row, WORDS, NULL, &mine) == SLUICE_E_FORKED);
  CHECK(mine.code == SLUICE_E_FORKED && mine.message_length == strlen(mine.message) &&
        strstr(mine.message, "after the fork"));
  CHECK(sluice_matcher_accept_token(matcher, 'a') == SLUICE_E_FORKED);
  CHECK(sluice_matcher_new(grammar, NULL, &m, NULL) == SLUICE_E_FORKED);
  CHECK(sluice_grammar_compile(compiler, SLUICE_KIND_REGEX, "a", 1, NULL, 0, &g, &mine) == SLUICE_E_FORKED);
  CHECK(sluice_matcher_free(matcher) == SLUICE_E_FORKED);
  CHECK(sluice_families(NULL, 0, NULL, &mine) == SLUICE_E_FORKED); /* also without a handle */
  CHECK(sluice_check(SLUICE_KIND_REGEX, "a", 1, NULL, 0, 0, 0, NULL, 0, NULL, &mine) == SLUICE_E_FORKED);
  int32_t id = 3;
  CHECK(sluice_mask_filter(row, WORDS, &id, 1, SLUICE_FILTER_ALLOW | SLUICE_FILTER_RESET, &mine) == SLUICE_OK);
  CHECK(row[0] == 8);
  CHECK(sluice_abi_version() == SLUICE_ABI_VERSION && sluice_version()[0] != 0);
  return NULL;
}

int main(void) {
  uint32_t row[WORDS];
  compiler = small_compiler();
  grammar = compile(compiler, SLUICE_KIND_REGEX, "ab+");
  matcher = new_matcher(grammar);
  CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(matcher, row, WORDS, NULL, &error));
  for (int i = 0; i < 10; i++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      alarm(20); /* a hang is a failure, not a test run that never ends */
      pthread_t thread;
      in_child(NULL);
      CHECK(pthread_create(&thread, NULL, in_child, NULL) == 0);
      CHECK(pthread_join(thread, NULL) == 0);
      _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_token(matcher, i == 0 ? 'a' : 'b'));
  }
  return 0;
}
