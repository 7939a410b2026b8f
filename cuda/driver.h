/* driver.h: the part of CUDA's driver API that this directory uses, declared by hand so that no header of CUDA is needed,
 * and declarations that its files share. They stay inside libsluice.so.
 *
 * Numbers and signatures are the driver's ABI. libcuda never changes them: a changed function gets a new name (…_v2).
 * Start reading at cuda_driver. */
#ifndef SLUICE_CUDA_DRIVER_H
#define SLUICE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params.h"
#include "sluice.h"

/* ------------------------------------------------------------------------------------------------ the driver API ---- */

typedef int cu_result; /* CUresult */
typedef int cu_device; /* CUdevice: an ordinal */
typedef struct cu_context_object *cu_context;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
typedef struct cu_event_object *cu_event;
typedef void *cu_stream;
typedef uintptr_t cu_address; /* CUdeviceptr */

enum {
  CU_SUCCESS = 0,
  CU_ERROR_NO_DEVICE = 100,
  CU_ERROR_INVALID_DEVICE = 101,
  CU_ERROR_NOT_READY = 600,

  CU_ERROR_NO_BINARY_FOR_GPU = 209,
  CU_ERROR_INVALID_PTX = 218,
  CU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CU_ERROR_JIT_COMPILATION_DISABLED = 223,

  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
};

/* Streams that are names and not objects: the default stream and its two explicit forms. */
#define CU_LAST_NAMED_STREAM ((uintptr_t)2)

/* The functions of the driver: EACH(member, symbol, parameters). */
#define CUDA_DRIVER_FUNCTIONS(EACH)                                                                            \
  EACH(init, cuInit, (unsigned))                                                                               \
  EACH(driver_version, cuDriverGetVersion, (int *))                                                            \
  EACH(error_name, cuGetErrorName, (cu_result, const char **))                                                 \
  EACH(error_text, cuGetErrorString, (cu_result, const char **))                                               \
  EACH(device_get, cuDeviceGet, (cu_device *, int))                                                            \
  EACH(device_attribute, cuDeviceGetAttribute, (int *, int, cu_device))                                        \
  EACH(device_memory, cuDeviceTotalMem_v2, (size_t *, cu_device))                                              \
  EACH(primary_retain, cuDevicePrimaryCtxRetain, (cu_context *, cu_device))                                    \
  EACH(context_current, cuCtxGetCurrent, (cu_context *))                                                       \
  EACH(context_push, cuCtxPushCurrent_v2, (cu_context))                                                        \
  EACH(context_pop, cuCtxPopCurrent_v2, (cu_context *))                                                        \
  EACH(context_device, cuCtxGetDevice, (cu_device *))                                                          \
  EACH(context_id, cuCtxGetId, (cu_context, unsigned long long *))                                             \
  EACH(pointer_attribute, cuPointerGetAttribute, (void *, int, cu_address))                                    \
  EACH(module_load, cuModuleLoadData, (cu_module *, const void *))                                             \
  EACH(module_function, cuModuleGetFunction, (cu_function *, cu_module, const char *))                         \
  EACH(module_unload, cuModuleUnload, (cu_module))                                                             \
  EACH(function_attribute, cuFuncGetAttribute, (int *, int, cu_function))                                      \
  EACH(launch, cuLaunchKernel,                                                                                 \
       (cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cu_stream, void **, \
        void **))                                                                                              \
  EACH(stream_context, cuStreamGetCtx, (cu_stream, cu_context *))                                              \
  EACH(stream_capturing, cuStreamIsCapturing, (cu_stream, int *))                                              \
  EACH(stream_wait, cuStreamWaitEvent, (cu_stream, cu_event, unsigned))                                        \
  EACH(capture_mode, cuThreadExchangeStreamCaptureMode, (int *))                                               \
  EACH(event_create, cuEventCreate, (cu_event *, unsigned))                                                    \
  EACH(event_destroy, cuEventDestroy_v2, (cu_event))                                                           \
  EACH(event_record, cuEventRecord, (cu_event, cu_stream))                                                     \
  EACH(event_query, cuEventQuery, (cu_event))                                                                  \
  EACH(event_wait, cuEventSynchronize, (cu_event))                                                             \
  EACH(memory_new, cuMemAlloc_v2, (cu_address *, size_t))                                                      \
  EACH(memory_free, cuMemFree_v2, (cu_address))                                                                \
  EACH(pinned_new, cuMemHostAlloc, (void **, size_t, unsigned))                                                \
  EACH(pinned_free, cuMemFreeHost, (void *))                                                                   \
  EACH(copy_to_device, cuMemcpyHtoDAsync_v2, (cu_address, const void *, size_t, cu_stream))

/* cuda_driver: the functions of a driver that was found and initialised. Immutable. */
typedef struct cuda_driver {
#define CUDA_MEMBER(member, symbol, parameters) cu_result(*member) parameters;
  CUDA_DRIVER_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
} cuda_driver;

/* cuda_find returns the driver, which the first call finds and initialises, or writes why there is none.
 * source  the name of the call, for messages. */
sluice_status cuda_find(const char *source, const cuda_driver **driver, sluice_error *error);

/* cuda_failed writes the error of a function of the driver and returns SLUICE_E_DEVICE. */
sluice_status cuda_failed(const cuda_driver *driver, const char *source, const char *symbol, cu_result result,
                          sluice_error *error);

/* CUDA_TRY returns from the function it stands in if a function of the driver fails. */
#define CUDA_TRY(symbol, call)                                     \
  do {                                                             \
    cu_result cuda_try = (call);                                   \
    if (cuda_try != CU_SUCCESS) {                                  \
      return cuda_failed(driver, source, symbol, cuda_try, error); \
    }                                                              \
  } while (0)

/* ---------------------------------------------------------------------------------------- contexts (context.c) ---- */

/* The kernels, in the order of cuda_kernel_names: the index is the sum of a launch's needs. */
enum { CUDA_KERNEL_16 = 1, CUDA_KERNEL_MAPPED = 2, CUDA_KERNEL_IDS = 4, CUDA_KERNELS = 8 };

/* cuda_loaded: the kernels in one context. Immutable. */
typedef struct cuda_loaded {
  cu_function kernel[CUDA_KERNELS];
  uint32_t multiprocessors;
} cuda_loaded;

/* cuda_scope: the context that is current during a call. */
typedef struct cuda_scope {
  cu_context context;
  bool pushed;
} cuda_scope;

/* cuda_enter makes the context of a stream and an address current. address may be 0. cuda_enter_device does the same for
 * an ordinal (the primary context) or -1 (the current one), cuda_enter_context for a context. After each success the
 * caller calls cuda_leave. */
sluice_status cuda_enter(const cuda_driver *driver, const char *source, cu_stream stream, cu_address address,
                         cuda_scope *scope, sluice_error *error);
sluice_status cuda_enter_device(const cuda_driver *driver, const char *source, int32_t device, cuda_scope *scope,
                                sluice_error *error);
sluice_status cuda_enter_context(const cuda_driver *driver, const char *source, cu_context context, cuda_scope *scope,
                                 sluice_error *error);
void cuda_leave(const cuda_driver *driver, const cuda_scope *scope);

/* cuda_kernels returns the kernels of the current context; the first call for a context loads them. */
sluice_status cuda_kernels(const cuda_driver *driver, const char *source, cu_context context, cuda_loaded *loaded,
                           sluice_error *error);

/* --------------------------------------------------------------------------------------------- launches (launch.c) ---- */

/* cuda_check is apply_check with the further rules of a device. */
sluice_status cuda_check(const char *source, const sluice_apply_args *args, sluice_error *error);

/* cuda_address_of returns an address from which the driver tells the device of the logits. */
cu_address cuda_address_of(const sluice_apply_args *args);

/* cuda_params_of converts checked arguments to the kernels' parameters; ids and pool stay empty. */
void cuda_params_of(const sluice_apply_args *args, cuda_params *params);

/* cuda_launch puts the kernels for n pairs on a stream of the current context.
 * host_ids  n ids that travel with the launch, or NULL. */
sluice_status cuda_launch(const cuda_driver *driver, const char *source, const cuda_loaded *loaded,
                          const sluice_apply_args *args, cuda_params *params, const int32_t *host_ids, cu_stream stream,
                          sluice_error *error);

#endif /* SLUICE_CUDA_DRIVER_H */
