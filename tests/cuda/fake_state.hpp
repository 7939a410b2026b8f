/* fake_state.hpp: the common state of the two files of the fake driver. */
#ifndef SLUICE_TESTS_FAKE_STATE_HPP
#define SLUICE_TESTS_FAKE_STATE_HPP

#include "fake_cuda.hpp"

enum {
  CU_ERROR_INVALID_VALUE = 1,
  CU_ERROR_OUT_OF_MEMORY = 2,
  CU_ERROR_NOT_INITIALIZED = 3,
  CU_ERROR_INVALID_CONTEXT = 201,
  CU_ERROR_INVALID_HANDLE = 400,
  CU_ERROR_NOT_FOUND = 500,
  CU_ERROR_LAUNCH_FAILED = 719,
  CU_ERROR_CAPTURE_UNSUPPORTED = 900,
  CU_ERROR_CAPTURE_ISOLATION = 905,
};

/* state is the one driver of the process. */
fake &state();

/* enter counts a call and says whether it is to fail. */
cu_result enter(const char *symbol);

/* ENTER stands at the beginning of every function: the lock, the count, a failure that a test has asked for. */
#define ENTER(symbol)                                       \
  std::lock_guard<std::recursive_mutex> hold(state().lock); \
  if (const cu_result entered = enter(#symbol)) {           \
    return entered;                                         \
  }

/* current is the context of this thread. */
cu_context current();

/* forbidden tells whether this thread may not do what would disturb a capture of another. */
bool forbidden();

/* range_of returns the memory that holds size bytes at an address, or NULL. */
const fake_range *range_of(uintptr_t at, size_t size);

/* drain does all that is on any stream. */
void drain();

#endif /* SLUICE_TESTS_FAKE_STATE_HPP */
