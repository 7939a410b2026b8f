/* emulate.hpp: the kernels of cuda/apply.cuh on the CPU. A warp is a loop over 32 lanes, a grid a loop over warps; the code
 * in between is the code that runs on a GPU. Every address that it loads from or stores to is checked first. */
#ifndef SLUICE_TESTS_EMULATE_HPP
#define SLUICE_TESTS_EMULATE_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "apply.cuh"

namespace emulate {

/* check_access ends the program if size bytes at an address are no memory of the device; given by who includes this. */
void check_access(const void *at, size_t size);

/* loop_warp is the policy for apply.cuh; words hold all lanes. */
struct loop_warp {
  struct words {
    uint32_t of[32];
  };

  template <class F>
  void lanes(F f) const {
    for (uint32_t lane = 0; lane < 32; lane++) {
      f(lane);
    }
  }
  template <class F>
  words each(F f) const {
    words w;
    for (uint32_t lane = 0; lane < 32; lane++) {
      w.of[lane] = f(lane);
    }
    return w;
  }
  uint32_t where_not(const words &w, uint32_t value) const {
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
      bits |= static_cast<uint32_t>(w.of[lane] != value) << lane;
    }
    return bits;
  }
  uint32_t pick(const words &w, uint32_t lane) const { return w.of[lane]; }

  template <class F>
  bool any(F f) const {
    bool so = false;
    for (uint32_t lane = 0; lane < 32; lane++) {
      so |= f(lane);
    }
    return so;
  }
  uint32_t own(const words &w, uint32_t lane) const { return w.of[lane]; }
  static uint32_t ones(uint32_t word) { return static_cast<uint32_t>(__builtin_popcount(word)); }
  static uint32_t lowest(uint32_t word) { return static_cast<uint32_t>(__builtin_ctz(word)); }

  uint32_t load(const uint32_t *from) const {
    check(from, sizeof *from);
    return *from;
  }
  void store(uint32_t *to, uint32_t value) const {
    check(to, sizeof *to);
    *to = value;
  }
  void store(uint16_t *to, uint32_t value) const {
    check(to, sizeof *to);
    *to = static_cast<uint16_t>(value);
  }
  template <class Logit>
  void store_wide(Logit *to, uint32_t value) const {
    const uint32_t four[4] = {value, value, value, value};
    check(to, sizeof four);
    std::memcpy(to, four, sizeof four);
  }

 private:
  /* A device refuses an address that is no multiple of the access's size. */
  static void check(const void *at, size_t size) {
    if (reinterpret_cast<uintptr_t>(at) % size != 0) {
      std::fprintf(stderr, "emulate: an access of %zu bytes at %p is misaligned\n", size, at);
      std::abort();
    }
    check_access(at, size);
  }
};

template <class Logit, bool mapped>
void run(const cuda_params &p, const cuda_ids *ids, uint32_t warps, uint32_t pairs) {
  for (uint32_t pair = 0; pair < pairs; pair++) {
    for (uint32_t warp = 0; warp < warps; warp++) {
      apply_warp<Logit, mapped>(loop_warp(), p, ids, warp, p.first + pair);
    }
  }
}

/* is_kernel tells whether there is a kernel of that name. */
inline bool is_kernel(const std::string &name) {
  return name == "apply_32" || name == "apply_16" || name == "apply_mapped_32" || name == "apply_mapped_16" ||
         name == "apply_32_ids" || name == "apply_16_ids" || name == "apply_mapped_32_ids" ||
         name == "apply_mapped_16_ids";
}

/* launch runs a kernel of apply.cu, by name, as a grid of so many warps for each of so many pairs would. */
inline void launch(const std::string &name, const cuda_params &p, const cuda_ids *ids, uint32_t warps, uint32_t pairs) {
  const bool mapped = name.find("mapped") != std::string::npos;
  const bool wide = name.find("32") != std::string::npos;
  if (wide) {
    mapped ? run<uint32_t, true>(p, ids, warps, pairs) : run<uint32_t, false>(p, ids, warps, pairs);
  } else {
    mapped ? run<uint16_t, true>(p, ids, warps, pairs) : run<uint16_t, false>(p, ids, warps, pairs);
  }
}

}  // namespace emulate

#endif /* SLUICE_TESTS_EMULATE_HPP */
