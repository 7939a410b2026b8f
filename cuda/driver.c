/* driver.c: finds libcuda and writes its errors in words. Only this file knows the driver's path. */
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../cpu/check.h"

/* The result of the first search. Written once, under `once`. */
static struct {
  cuda_driver functions;
  bool usable;
  char reason[512]; /* why there is no driver */
} found;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool initialised; /* cuInit was called, by this process or the one it was forked from */
static volatile bool forked;

static void mark_forked(void) { forked = initialised; }

/* load fills the table of functions; false if the library or a function is missing. */
static bool load(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *why = dlerror();
    snprintf(found.reason, sizeof found.reason, "no CUDA driver: %s", why != NULL ? why : "libcuda.so.1 is not there");
    return false;
  }
  const struct {
    const char *name;
    void *at;
  } symbols[] = {
#define CUDA_SYMBOL(member, symbol, parameters) {#symbol, &found.functions.member},
      CUDA_DRIVER_FUNCTIONS(CUDA_SYMBOL)
#undef CUDA_SYMBOL
  };
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (symbol == NULL) {
      snprintf(found.reason, sizeof found.reason,
               "the CUDA driver is too old: it has no %s; the kernels need release 525 (CUDA 12.0) or newer",
               symbols[i].name);
      return false;
    }
    memcpy(symbols[i].at, &symbol, sizeof symbol); /* ISO C has no conversion from void * to a function */
  }
  return true;
}

/* look runs once in a process. */
static void look(void) {
  if (!load()) {
    return;
  }
  (void)pthread_atfork(NULL, NULL, mark_forked);
  initialised = true;
  cu_result result = found.functions.init(0);
  if (result != CU_SUCCESS) {
    const char *name = NULL;
    found.functions.error_name(result, &name);
    snprintf(found.reason, sizeof found.reason,
             "the CUDA driver is there but finds nothing to work with: cuInit: %s (%d)",
             name != NULL ? name : "unknown error", result);
    return;
  }
  found.usable = true;
}

sluice_status cuda_find(const char *source, const cuda_driver **driver, sluice_error *error) {
  pthread_once(&once, look);
  if (forked) {
    return apply_fail(error, SLUICE_E_FORKED, source,
                      "CUDA was used before fork() and cannot be used in the child: start the process with exec or "
                      "spawn, or call this for the first time after the fork");
  }
  if (!found.usable) {
    return apply_fail(error, SLUICE_E_UNAVAILABLE, source, "%s", found.reason);
  }
  *driver = &found.functions;
  return SLUICE_OK;
}

sluice_status cuda_failed(const cuda_driver *driver, const char *source, const char *symbol, cu_result result,
                          sluice_error *error) {
  const char *name = NULL;
  const char *text = NULL;
  (void)driver->error_name(result, &name);
  (void)driver->error_text(result, &text);
  return apply_fail(error, SLUICE_E_DEVICE, source, "%s: %s (%d): %s", symbol, name != NULL ? name : "unknown error",
                    result, text != NULL ? text : "the driver has no text for it");
}
