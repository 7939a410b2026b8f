/* fake_cuda.hpp: the state of the driver that fake_cuda.cpp stands for: devices, contexts, streams, events.
 *
 * A stream is a queue of things to do. Nothing is done when it is put there: the device works when somebody waits for it or
 * asks about it, and then takes the next thing of any stream that is not waiting for an event, in an order that FAKE_CUDA_SEED
 * decides. So code that relies on an unrequested order fails. */
#ifndef SLUICE_TESTS_FAKE_CUDA_HPP
#define SLUICE_TESTS_FAKE_CUDA_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

extern "C" {
#include "driver.h"
}

struct cu_event_object {
  uint64_t recorded = 0; /* how often it was recorded */
  uint64_t happened = 0; /* which of these the device has reached */
  bool captured = false; /* its last record is part of a graph */
};

/* work is one thing to do: `ready` says whether the device may do it, `now` does it. */
struct work {
  std::function<bool()> ready;
  std::function<void()> now;
};

struct fake_graph {
  std::vector<work> steps;
};

struct fake_stream {
  cu_context context = nullptr;
  std::deque<work> queue;
  std::shared_ptr<fake_graph> capture; /* being captured into this */
};

struct cu_function_object {
  cu_module module;
  std::string name;
};

struct cu_module_object {
  cu_context context;
  std::map<std::string, std::unique_ptr<cu_function_object>> functions;
};

struct cu_context_object {
  cu_device device = 0;
  unsigned long long id = 0;
  bool alive = true;
  fake_stream default_stream;
};

/* An address range that the driver knows. */
struct fake_range {
  size_t size;
  cu_device device; /* -1: pinned memory of the host */
};

/* fake: everything, below one lock. */
struct fake {
  std::recursive_mutex lock;
  bool initialised = false;
  unsigned long long next_context = 1;
  uint64_t random = 88172645463325252ull;
  std::vector<std::unique_ptr<cu_context_object>> contexts;
  std::map<cu_device, cu_context> primary;
  std::map<uintptr_t, fake_range> ranges;
  std::vector<std::unique_ptr<fake_stream>> streams;
  std::vector<std::unique_ptr<cu_event_object>> events;
  std::vector<std::unique_ptr<cu_module_object>> modules;
  uint32_t capturing = 0; /* streams that are being captured */

  /* Failures that a test has asked for, by the name of the function: how many calls still succeed, and the result then. */
  struct failure {
    uint32_t after;
    cu_result result;
  };
  std::map<std::string, failure> failures;
  std::map<std::string, uint64_t> calls;
};

extern "C" {
/* fake_cuda_fail makes a function of the driver return result from its after-th call from now on (0: the next one), and
 * work again with result 0. fake_cuda_calls returns how often it was called. */
void fake_cuda_fail(const char *symbol, uint32_t after, int result);
uint64_t fake_cuda_calls(const char *symbol);
/* fake_cuda_step lets the device do up to n things, and returns how many it did. */
uint64_t fake_cuda_step(uint64_t n);
}

#endif /* SLUICE_TESTS_FAKE_CUDA_HPP */
