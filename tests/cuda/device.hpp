/* device.hpp: the common code of tests and benchmarks here: checks, the driver (a GPU's, or fake_cuda.cpp if
 * LD_LIBRARY_PATH leads there), and memory on its device.
 *
 * A test that finds no device says why and exits with 77, which CTest and make take for skipped. */
#ifndef SLUICE_TESTS_DEVICE_HPP
#define SLUICE_TESTS_DEVICE_HPP

#include <dlfcn.h>
#include <sluice.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "driver.h"
}

/* CHECK ends the program with the place and the text of a condition that does not hold. */
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)

/* CHECK_STATUS ends it if a call does not return the status wanted, and shows the error. */
#define CHECK_STATUS(want, call) check_status((want), (call), #call, __FILE__, __LINE__)

/* The error that CHECK_STATUS shows; every test passes &error. */
inline sluice_error fresh_error() {
  sluice_error e;
  std::memset(&e, 0, sizeof e);
  e.struct_size = sizeof e;
  return e;
}
static thread_local sluice_error error = fresh_error();

inline void check_status(sluice_status want, sluice_status got, const char *call, const char *file, int line) {
  if (want != got) {
    std::fprintf(stderr, "%s:%d: %s returned %s, want %s\n  last error: %s\n", file, line, call,
                 sluice_status_name(got), sluice_status_name(want), error.message);
    std::exit(1);
  }
}

/* zeroed is a struct of sluice.h with its size set. */
template <class Struct>
Struct zeroed() {
  Struct s;
  std::memset(&s, 0, sizeof s);
  s.struct_size = sizeof s;
  return s;
}

/* random_numbers is xorshift64*: the tests choose with it, the same on every machine. */
struct random_numbers {
  uint64_t state;
  explicit random_numbers(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 0x853C49E6748FEA9Bull) {}
  uint64_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ull;
  }
  size_t below(size_t n) { return static_cast<size_t>((next() >> 11) % n); }
  bool one_in(size_t n) { return below(n) == 0; }
};

/* Functions of the driver that only tests call. */
struct cu_graph_object;
#define TEST_DRIVER_FUNCTIONS(EACH)                                                                         \
  CUDA_DRIVER_FUNCTIONS(EACH)                                                                               \
  EACH(context_set, cuCtxSetCurrent, (cu_context))                                                          \
  EACH(context_wait, cuCtxSynchronize, (void))                                                              \
  EACH(to_device, cuMemcpyHtoD_v2, (cu_address, const void *, size_t))                                      \
  EACH(to_host, cuMemcpyDtoH_v2, (void *, cu_address, size_t))                                              \
  EACH(copy, cuMemcpyDtoDAsync_v2, (cu_address, cu_address, size_t, cu_stream))                             \
  EACH(stream_new, cuStreamCreate, (cu_stream *, unsigned))                                                 \
  EACH(stream_free, cuStreamDestroy_v2, (cu_stream))                                                        \
  EACH(stream_synchronize, cuStreamSynchronize, (cu_stream))                                                \
  EACH(elapsed, cuEventElapsedTime, (float *, cu_event, cu_event))                                          \
  EACH(capture_begin, cuStreamBeginCapture_v2, (cu_stream, int))                                            \
  EACH(capture_end, cuStreamEndCapture, (cu_stream, cu_graph_object **))                                    \
  EACH(graph_new, cuGraphInstantiateWithFlags, (cu_graph_object **, cu_graph_object *, unsigned long long)) \
  EACH(graph_launch, cuGraphLaunch, (cu_graph_object *, cu_stream))                                         \
  EACH(graph_exec_free, cuGraphExecDestroy, (cu_graph_object *))                                            \
  EACH(graph_free, cuGraphDestroy, (cu_graph_object *))

enum { CU_STREAM_NON_BLOCKING = 1, CU_STREAM_CAPTURE_MODE_GLOBAL = 0 };

/* test_driver is that driver, with the primary context of device 0 current on the thread that opened it. */
struct test_driver {
#define TEST_MEMBER(member, symbol, parameters) cu_result(*member) parameters = nullptr;
  TEST_DRIVER_FUNCTIONS(TEST_MEMBER)
#undef TEST_MEMBER
  void *library = nullptr;
  cu_context context = nullptr;

  /* symbol returns a function that only the fake driver has, or NULL. */
  void *symbol(const char *name) const { return dlsym(library, name); }
};

#define CU(call) CHECK((call) == CU_SUCCESS)

/* skip ends the program as skipped. */
[[noreturn]] inline void skip(const char *reason) {
  std::printf("SKIPPED: %s\n", reason);
  std::exit(77);
}

/* open_driver returns the driver; it skips the program if there is none. */
inline const test_driver &open_driver() {
  static test_driver d;
  if (d.library != nullptr) {
    return d;
  }
  sluice_status status = sluice_cuda_prepare(0, &error);
  if (status == SLUICE_E_UNAVAILABLE) {
    skip(error.message);
  }
  CHECK_STATUS(SLUICE_OK, status);
  d.library = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(d.library != nullptr);
#define TEST_SYMBOL(member, symbol, parameters)                  \
  {                                                              \
    void *at = dlsym(d.library, #symbol);                        \
    if (at == nullptr) {                                         \
      std::fprintf(stderr, "libcuda.so.1 has no %s\n", #symbol); \
      std::exit(1);                                              \
    }                                                            \
    std::memcpy(&d.member, &at, sizeof at);                      \
  }
  TEST_DRIVER_FUNCTIONS(TEST_SYMBOL)
#undef TEST_SYMBOL
  cu_device device = 0;
  CU(d.init(0));
  CU(d.device_get(&device, 0));
  CU(d.primary_retain(&d.context, device));
  CU(d.context_set(d.context));
  return d;
}

/* device_memory is an array on the device, with the content of one of the host. */
template <class T>
struct device_memory {
  cu_address at = 0;
  size_t n = 0;

  device_memory() = default;
  explicit device_memory(const std::vector<T> &from) : n(from.size()) {
    CU(open_driver().memory_new(&at, (n == 0 ? 1 : n) * sizeof(T)));
    write(from);
  }
  device_memory(const device_memory &) = delete;
  device_memory &operator=(const device_memory &) = delete;
  device_memory(device_memory &&other) noexcept : at(other.at), n(other.n) { other.at = 0; }
  ~device_memory() {
    if (at != 0) {
      open_driver().memory_free(at);
    }
  }

  T *pointer() const { return reinterpret_cast<T *>(at); }
  void write(const std::vector<T> &from) {
    CHECK(from.size() == n);
    if (n > 0) {
      CU(open_driver().to_device(at, from.data(), n * sizeof(T)));
      /* That returns when the bytes have left the host's memory; streams that don't wait for others may be faster. */
      CU(open_driver().stream_synchronize(nullptr));
    }
  }
  std::vector<T> read() const {
    std::vector<T> to(n);
    if (n > 0) {
      CU(open_driver().to_host(to.data(), at, n * sizeof(T)));
    }
    return to;
  }
};

#endif /* SLUICE_TESTS_DEVICE_HPP */
