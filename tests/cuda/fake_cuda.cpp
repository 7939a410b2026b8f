/* fake_cuda.cpp: a libcuda.so.1 without a GPU: as much of the driver as Sluice and its tests call, with the rules of the
 * real one about contexts, order and captures, and kernels that run on the CPU (emulate.hpp).
 *
 * It is strict in cases in which the real one is merely unpredictable: an unrequested order is random, memory of a
 * device is checked, and a forgotten context is an error. Two devices, one multiprocessor each. fake_cuda.hpp has its
 * state; fake_streams.cpp what happens on streams. */
#include "fake_cuda.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "emulate.hpp"
#include "fake_state.hpp"

namespace {

enum { DEVICES = 2 };

/* The error numbers that only the driver knows. */
struct named_error {
  cu_result number;
  const char *name;
  const char *text;
};
const named_error errors[] = {
    {CU_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CU_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CU_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CU_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CU_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CU_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CU_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the PTX is too new"},
    {CU_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CU_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CU_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CU_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CU_ERROR_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "not permitted while a stream is capturing"},
    {CU_ERROR_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency on uncaptured work"},
};

const named_error *find_error(cu_result result) {
  for (const named_error &e : errors) {
    if (e.number == result) {
      return &e;
    }
  }
  return nullptr;
}

/* The contexts of this thread, the current one last. */
thread_local std::vector<cu_context> stack;
thread_local int capture_mode = 0;

cu_context new_context(cu_device device) {
  fake &f = state();
  f.contexts.push_back(std::make_unique<cu_context_object>());
  cu_context c = f.contexts.back().get();
  c->device = device;
  c->id = f.next_context++;
  c->default_stream.context = c;
  return c;
}

cu_result allocate(uintptr_t *at, size_t size, cu_device device) {
  if (forbidden()) {
    return CU_ERROR_CAPTURE_UNSUPPORTED;
  }
  void *memory = nullptr;
  if (size == 0 || size > size_t(1) << 32 || posix_memalign(&memory, 512, size) != 0) {
    return size == 0 ? CU_ERROR_INVALID_VALUE : CU_ERROR_OUT_OF_MEMORY;
  }
  std::memset(memory, 0xA5, size);
  *at = reinterpret_cast<uintptr_t>(memory);
  state().ranges[*at] = {size, device};
  return CU_SUCCESS;
}

/* has_parameter tells whether the kernels' text declares a parameter of so many bytes. */
bool has_parameter(const std::string &ptx, const std::string &name, size_t size) {
  return ptx.find(" " + name + "[" + std::to_string(size) + "]") != std::string::npos;
}

cu_result release(uintptr_t at) {
  auto range = state().ranges.find(at);
  if (range == state().ranges.end()) {
    return CU_ERROR_INVALID_VALUE;
  }
  drain(); /* as the real one does */
  state().ranges.erase(range);
  std::free(reinterpret_cast<void *>(at));
  return CU_SUCCESS;
}

}  // namespace

fake &state() {
  static fake f;
  static bool seeded = [] {
    const char *seed = std::getenv("FAKE_CUDA_SEED");
    f.random ^= seed != nullptr ? std::strtoull(seed, nullptr, 10) * 0x9E3779B97F4A7C15ull : 0;
    return true;
  }();
  (void)seeded;
  return f;
}

cu_context current() { return stack.empty() ? nullptr : stack.back(); }

bool forbidden() { return state().capturing > 0 && capture_mode != CU_STREAM_CAPTURE_MODE_RELAXED; }

const fake_range *range_of(uintptr_t at, size_t size) {
  auto next = state().ranges.upper_bound(at);
  if (next == state().ranges.begin()) {
    return nullptr;
  }
  --next;
  return at + size <= next->first + next->second.size ? &next->second : nullptr;
}

cu_result enter(const char *symbol) {
  fake &f = state();
  f.calls[symbol]++;
  auto failure = f.failures.find(symbol);
  if (failure != f.failures.end() && failure->second.after-- == 0) {
    failure->second.after = 0;
    return failure->second.result;
  }
  const bool usable = f.initialised || std::strcmp(symbol, "cuInit") == 0;
  return usable ? cu_result(CU_SUCCESS) : cu_result(CU_ERROR_NOT_INITIALIZED);
}

void emulate::check_access(const void *at, size_t size) {
  if (range_of(reinterpret_cast<uintptr_t>(at), size) == nullptr) {
    std::fprintf(stderr, "fake_cuda: a kernel reaches for %zu bytes at %p, which are no memory of a device\n", size,
                 at);
    std::abort();
  }
}

void fake_cuda_fail(const char *symbol, uint32_t after, int result) {
  std::lock_guard<std::recursive_mutex> hold(state().lock);
  if (result == CU_SUCCESS) {
    state().failures.erase(symbol);
  } else {
    state().failures[symbol] = {after, result};
  }
}

uint64_t fake_cuda_calls(const char *symbol) {
  std::lock_guard<std::recursive_mutex> hold(state().lock);
  return state().calls[symbol];
}

extern "C" {

/* ------------------------------------------------------------------------------------------ driver and devices ---- */

cu_result cuInit(unsigned) {
  ENTER(cuInit);
  state().initialised = true;
  return CU_SUCCESS;
}

cu_result cuDriverGetVersion(int *version) {
  *version = 12000;
  return CU_SUCCESS;
}

cu_result cuGetErrorName(cu_result result, const char **name) {
  const named_error *e = find_error(result);
  *name = e != nullptr ? e->name : nullptr;
  return e != nullptr ? cu_result(CU_SUCCESS) : cu_result(CU_ERROR_INVALID_VALUE);
}

cu_result cuGetErrorString(cu_result result, const char **text) {
  const named_error *e = find_error(result);
  *text = e != nullptr ? e->text : nullptr;
  return e != nullptr ? cu_result(CU_SUCCESS) : cu_result(CU_ERROR_INVALID_VALUE);
}

cu_result cuDeviceGet(cu_device *device, int ordinal) {
  ENTER(cuDeviceGet);
  if (ordinal < 0 || ordinal >= DEVICES) {
    return CU_ERROR_INVALID_DEVICE;
  }
  *device = ordinal;
  return CU_SUCCESS;
}

cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device) {
  ENTER(cuDeviceGetAttribute);
  *value = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? 1 : 0;
  return CU_SUCCESS;
}

cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device) {
  ENTER(cuDeviceTotalMem_v2);
  *bytes = size_t(1) << 24;
  return CU_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------------- contexts ---- */

cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device) {
  ENTER(cuDevicePrimaryCtxRetain);
  cu_context &primary = state().primary[device];
  if (primary == nullptr) {
    primary = new_context(device);
  }
  *context = primary;
  return CU_SUCCESS;
}

/* As the real one, it keeps the object: the next context of the device has the same address and another number. */
cu_result cuDevicePrimaryCtxReset_v2(cu_device device) {
  ENTER(cuDevicePrimaryCtxReset_v2);
  cu_context primary = state().primary[device];
  if (primary != nullptr) {
    drain();
    for (auto &module : state().modules) {
      if (module->context == primary) {
        module->context = nullptr;
      }
    }
    primary->id = state().next_context++;
  }
  return CU_SUCCESS;
}

cu_result cuCtxCreate_v2(cu_context *context, unsigned, cu_device device) {
  ENTER(cuCtxCreate_v2);
  *context = new_context(device);
  stack.push_back(*context);
  return CU_SUCCESS;
}

cu_result cuCtxGetCurrent(cu_context *context) {
  ENTER(cuCtxGetCurrent);
  *context = current();
  return CU_SUCCESS;
}

cu_result cuCtxSetCurrent(cu_context context) {
  ENTER(cuCtxSetCurrent);
  if (!stack.empty()) {
    stack.pop_back();
  }
  if (context != nullptr) {
    stack.push_back(context);
  }
  return CU_SUCCESS;
}

cu_result cuCtxPushCurrent_v2(cu_context context) {
  ENTER(cuCtxPushCurrent_v2);
  if (context == nullptr || !context->alive) {
    return CU_ERROR_INVALID_CONTEXT;
  }
  stack.push_back(context);
  return CU_SUCCESS;
}

cu_result cuCtxPopCurrent_v2(cu_context *context) {
  ENTER(cuCtxPopCurrent_v2);
  if (stack.empty()) {
    return CU_ERROR_INVALID_CONTEXT;
  }
  *context = stack.back();
  stack.pop_back();
  return CU_SUCCESS;
}

cu_result cuCtxGetDevice(cu_device *device) {
  ENTER(cuCtxGetDevice);
  if (current() == nullptr) {
    return CU_ERROR_INVALID_CONTEXT;
  }
  *device = current()->device;
  return CU_SUCCESS;
}

cu_result cuCtxGetId(cu_context context, unsigned long long *id) {
  ENTER(cuCtxGetId);
  *id = context->id;
  return CU_SUCCESS;
}

cu_result cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, capture_mode);
  return CU_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------------- memory ---- */

cu_result cuMemAlloc_v2(cu_address *at, size_t size) {
  ENTER(cuMemAlloc_v2);
  return current() == nullptr ? CU_ERROR_INVALID_CONTEXT : allocate(at, size, current()->device);
}

cu_result cuMemFree_v2(cu_address at) {
  ENTER(cuMemFree_v2);
  return release(at);
}

cu_result cuMemHostAlloc(void **at, size_t size, unsigned) {
  ENTER(cuMemHostAlloc);
  uintptr_t address = 0;
  cu_result result = current() == nullptr ? CU_ERROR_INVALID_CONTEXT : allocate(&address, size, -1);
  *at = reinterpret_cast<void *>(address);
  return result;
}

cu_result cuMemFreeHost(void *at) {
  ENTER(cuMemFreeHost);
  return release(reinterpret_cast<uintptr_t>(at));
}

cu_result cuPointerGetAttribute(void *value, int attribute, cu_address at) {
  ENTER(cuPointerGetAttribute);
  const fake_range *range = range_of(at, 1);
  if (range == nullptr || attribute != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
    return CU_ERROR_INVALID_VALUE;
  }
  const int device = range->device < 0 ? 0 : range->device;
  std::memcpy(value, &device, sizeof device);
  return CU_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------------ modules ---- */

cu_result cuModuleLoadData(cu_module *module, const void *image) {
  ENTER(cuModuleLoadData);
  const std::string text(static_cast<const char *>(image));
  if (current() == nullptr || forbidden()) {
    return current() == nullptr ? CU_ERROR_INVALID_CONTEXT : CU_ERROR_CAPTURE_UNSUPPORTED;
  }
  if (text.find(".version 8.0\n.target sm_70\n.address_size 64\n") == std::string::npos) {
    return CU_ERROR_INVALID_PTX;
  }
  state().modules.push_back(std::make_unique<cu_module_object>());
  cu_module m = state().modules.back().get();
  m->context = current();
  const std::string entry = ".visible .entry ";
  for (size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1)) {
    const size_t from = at + entry.size();
    const std::string name = text.substr(from, text.find('(', from) - from);
    const bool ids = name.find("_ids") != std::string::npos;
    if (!emulate::is_kernel(name) || !has_parameter(text, name + "_param_0", sizeof(cuda_params)) ||
        has_parameter(text, name + "_param_1", sizeof(cuda_ids)) != ids) {
      return CU_ERROR_INVALID_VALUE; /* the text is not of these sources */
    }
    m->functions[name].reset(new cu_function_object{m, name});
  }
  *module = m;
  return CU_SUCCESS;
}

cu_result cuModuleGetFunction(cu_function *function, cu_module module, const char *name) {
  ENTER(cuModuleGetFunction);
  auto found = module->functions.find(name);
  if (found == module->functions.end()) {
    return CU_ERROR_NOT_FOUND;
  }
  *function = found->second.get();
  return CU_SUCCESS;
}

cu_result cuModuleUnload(cu_module module) {
  ENTER(cuModuleUnload);
  module->context = nullptr;
  return CU_SUCCESS;
}

cu_result cuFuncGetAttribute(int *value, int, cu_function) {
  ENTER(cuFuncGetAttribute);
  *value = 32;
  return CU_SUCCESS;
}

}  // extern "C"
