/* context.c: finds the context of a call, and keeps the kernels of each context.
 *
 * Modules belong to contexts, and programs destroy contexts (cudaDeviceReset). The driver may give a new context the
 * address of an old one. So the key of the kernels is the context's address with its number, which the driver uses once. */
#include <pthread.h>
#include <string.h>

#include "../cpu/check.h"
#include "driver.h"

extern const char cuda_ptx[]; /* ptx.S */

static const char *const cuda_kernel_names[CUDA_KERNELS] = {
    "apply_32",     "apply_16",     "apply_mapped_32",     "apply_mapped_16",
    "apply_32_ids", "apply_16_ids", "apply_mapped_32_ids", "apply_mapped_16_ids",
};

/* ------------------------------------------------------------------------------------------------------ contexts ---- */

sluice_status cuda_enter_context(const cuda_driver *driver, const char *source, cu_context context, cuda_scope *scope,
                                 sluice_error *error) {
  cu_context current = NULL;
  CUDA_TRY("cuCtxGetCurrent", driver->context_current(&current));
  *scope = (cuda_scope){.context = context, .pushed = false};
  if (current != context) {
    CUDA_TRY("cuCtxPushCurrent", driver->context_push(context));
    scope->pushed = true;
  }
  return SLUICE_OK;
}

void cuda_leave(const cuda_driver *driver, const cuda_scope *scope) {
  if (scope->pushed) {
    cu_context popped;
    (void)driver->context_pop(&popped);
  }
}

/* primary returns the primary context of a device and keeps it for the life of the process, because work may be queued. */
static sluice_status primary(const cuda_driver *driver, const char *source, int32_t ordinal, cu_context *context,
                             sluice_error *error) {
  enum { KNOWN = 64 };
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static cu_context retained[KNOWN];
  cu_device device;
  cu_result result = driver->device_get(&device, ordinal);
  if (result == CU_ERROR_INVALID_DEVICE || result == CU_ERROR_NO_DEVICE) {
    return apply_fail(
        error, SLUICE_E_UNAVAILABLE, source,
        "this process sees no CUDA device %d: CUDA_VISIBLE_DEVICES hides devices and numbers the rest from 0", ordinal);
  }
  CUDA_TRY("cuDeviceGet", result);
  pthread_mutex_lock(&lock);
  *context = ordinal < KNOWN ? retained[ordinal] : NULL;
  if (*context == NULL) {
    result = driver->primary_retain(context, device);
    if (result == CU_SUCCESS && ordinal < KNOWN) {
      retained[ordinal] = *context;
    }
  }
  pthread_mutex_unlock(&lock);
  CUDA_TRY("cuDevicePrimaryCtxRetain", result);
  return SLUICE_OK;
}

sluice_status cuda_enter_device(const cuda_driver *driver, const char *source, int32_t device, cuda_scope *scope,
                                sluice_error *error) {
  cu_context context = NULL;
  if (device >= 0) {
    sluice_status status = primary(driver, source, device, &context, error);
    return status != SLUICE_OK ? status : cuda_enter_context(driver, source, context, scope, error);
  }
  if (device != -1) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source, "device is %d: it is an ordinal, or -1 for the current context",
                      device);
  }
  CUDA_TRY("cuCtxGetCurrent", driver->context_current(&context));
  if (context == NULL) {
    return apply_fail(error, SLUICE_E_ARGUMENT, source,
                      "this thread has no current CUDA context: name a device, or use one on this thread before");
  }
  *scope = (cuda_scope){.context = context, .pushed = false};
  return SLUICE_OK;
}

sluice_status cuda_enter(const cuda_driver *driver, const char *source, cu_stream stream, cu_address address,
                         cuda_scope *scope, sluice_error *error) {
  int ordinal = -1;
  if (address != 0) {
    cu_result result = driver->pointer_attribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
    if (result != CU_SUCCESS || ordinal < 0) {
      return apply_fail(
          error, SLUICE_E_ARGUMENT, source,
          "CUDA does not know the memory at %p: the logits must be on a device (sluice_apply is for those "
          "that are not)",
          (void *)address);
    }
  }
  cu_context context = NULL;
  if ((uintptr_t)stream > CU_LAST_NAMED_STREAM) {
    CUDA_TRY("cuStreamGetCtx", driver->stream_context(stream, &context));
    return cuda_enter_context(driver, source, context, scope, error);
  }
  CUDA_TRY("cuCtxGetCurrent", driver->context_current(&context));
  if (context != NULL) {
    cu_device device = -1;
    CUDA_TRY("cuCtxGetDevice", driver->context_device(&device));
    if (address == 0 || device == ordinal) {
      *scope = (cuda_scope){.context = context, .pushed = false};
      return SLUICE_OK;
    }
  }
  return cuda_enter_device(driver, source, ordinal, scope, error);
}

/* ------------------------------------------------------------------------------------------------------- kernels ---- */

/* unusable returns whether a result of loading means that this driver cannot run the kernels. */
static bool unusable(cu_result result) {
  return result == CU_ERROR_NO_BINARY_FOR_GPU || result == CU_ERROR_INVALID_PTX ||
         result == CU_ERROR_UNSUPPORTED_PTX_VERSION || result == CU_ERROR_JIT_COMPILATION_DISABLED;
}

/* load loads the kernels completely into the current context. A lazy driver would compile and copy a function at its first
 * launch, which may be part of a capture. Asking for an attribute makes the driver do it now. */
static sluice_status load(const cuda_driver *driver, const char *source, cuda_loaded *loaded, sluice_error *error) {
  cu_device device;
  int processors = 0;
  CUDA_TRY("cuCtxGetDevice", driver->context_device(&device));
  CUDA_TRY("cuDeviceGetAttribute",
           driver->device_attribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  loaded->multiprocessors = processors > 0 ? (uint32_t)processors : 1;

  cu_module module;
  cu_result result = driver->module_load(&module, cuda_ptx);
  if (unusable(result)) {
    (void)cuda_failed(driver, source, "cuModuleLoadData", result, error);
    return apply_fail(
        error, SLUICE_E_UNAVAILABLE, source,
        "the driver cannot compile the kernels (cuModuleLoadData: error %d): they need release 525 or newer, "
        "compute capability 7.0 or newer, and its compiler, libnvidia-ptxjitcompiler",
        result);
  }
  CUDA_TRY("cuModuleLoadData", result);
  for (int i = 0; i < CUDA_KERNELS && result == CU_SUCCESS; i++) {
    int registers;
    result = driver->module_function(&loaded->kernel[i], module, cuda_kernel_names[i]);
    if (result == CU_SUCCESS) {
      result = driver->function_attribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, loaded->kernel[i]);
    }
  }
  if (result != CU_SUCCESS) {
    (void)driver->module_unload(module);
  }
  CUDA_TRY("cuModuleGetFunction", result);
  return SLUICE_OK;
}

sluice_status cuda_kernels(const cuda_driver *driver, const char *source, cu_context context, cuda_loaded *loaded,
                           sluice_error *error) {
  /* More contexts than devices are rare. The oldest entry is replaced, and loaded again if its context returns. */
  enum { KEPT = 64 };
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct {
    cu_context context;
    unsigned long long id;
    cuda_loaded loaded;
  } kept[KEPT];
  static uint32_t next;

  unsigned long long id = 0;
  CUDA_TRY("cuCtxGetId", driver->context_id(context, &id));
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < KEPT; i++) {
    if (kept[i].context == context && kept[i].id == id) {
      *loaded = kept[i].loaded;
      pthread_mutex_unlock(&lock);
      return SLUICE_OK;
    }
  }
  /* A thread whose stream is being captured may load modules only in relaxed mode. */
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  (void)driver->capture_mode(&mode);
  sluice_status status = load(driver, source, loaded, error);
  (void)driver->capture_mode(&mode);
  if (status == SLUICE_OK) {
    kept[next].context = context;
    kept[next].id = id;
    kept[next].loaded = *loaded;
    next = (next + 1) % KEPT;
  }
  pthread_mutex_unlock(&lock);
  return status;
}
