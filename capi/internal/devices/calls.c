/* calls.c: finds the functions of libnvidia-ml for calls.S. */
#include "bind.h"

#include <dlfcn.h>
#include <stddef.h>

extern void *nvml_at[]; /* calls.S */

/* nvml_missing stands for every function that is not there. 13 is NVML_ERROR_FUNCTION_NOT_FOUND, and all but one of the
 * functions return such numbers; nvmlErrorString, which returns text, is there whenever anything is. */
__attribute__((visibility("hidden"))) int nvml_missing(void);
int nvml_missing(void) { return 13; }

static const char *const names[] = {
#define NVML_CALL(name) #name,
#include "calls.h"
#undef NVML_CALL
};

int nvml_bind(void) {
  /* Never closed: functions that were found stay valid. */
  void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL || dlsym(library, "nvmlErrorString") == NULL) {
    return 0;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    void *found = dlsym(library, names[i]);
    if (found != NULL) {
      nvml_at[i] = found;
    }
  }
  return 1;
}
