/* apply.cu: the kernels, which NVRTC compiles to apply.ptx (`make ptx`). apply.cuh has all code that can run elsewhere.
 * This file has the instructions that make 32 threads a warp, and the entry points that launch.c finds by name. */
#include "apply.cuh"

namespace {

/* device_warp: 32 threads, one for each lane. All addresses are global: the host passes no others, and testing row
 * pointers from memory would cost time. */
struct device_warp {
  using words = uint32_t; /* this lane's */
  uint32_t lane;

  template <class F>
  __device__ __forceinline__ void lanes(F f) const {
    f(lane);
  }
  template <class F>
  __device__ __forceinline__ uint32_t each(F f) const {
    return f(lane);
  }
  __device__ __forceinline__ uint32_t where_not(uint32_t words, uint32_t value) const {
    return __ballot_sync(~0u, words != value);
  }
  __device__ __forceinline__ uint32_t pick(uint32_t words, uint32_t of_lane) const {
    return __shfl_sync(~0u, words, of_lane);
  }

  template <class F>
  __device__ __forceinline__ bool any(F f) const {
    return __any_sync(~0u, f(lane));
  }
  __device__ __forceinline__ uint32_t own(uint32_t words, uint32_t) const { return words; }
  __device__ __forceinline__ static uint32_t ones(uint32_t word) { return __popc(word); }
  __device__ __forceinline__ static uint32_t lowest(uint32_t word) { return __ffs(word) - 1; }

  __device__ __forceinline__ uint32_t load(const uint32_t *from) const { return __ldg(from); }

  __device__ __forceinline__ void store(uint32_t *to, uint32_t value) const {
    asm volatile("st.global.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
  }
  __device__ __forceinline__ void store(uint16_t *to, uint32_t value) const {
    asm volatile("st.global.b16 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "h"(static_cast<uint16_t>(value))
                 : "memory");
  }
  template <class Logit>
  __device__ __forceinline__ void store_wide(Logit *to, uint32_t value) const {
    asm volatile("st.global.v4.b32 [%0], {%1, %1, %1, %1};" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
  }
};

template <class Logit, bool mapped>
__device__ __forceinline__ void run(const cuda_params &p, const cuda_ids *ids) {
  const device_warp warp = {threadIdx.x % 32};
  const uint32_t warp_index = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  apply_warp<Logit, mapped>(warp, p, ids, warp_index, p.first + blockIdx.y);
}

}  // namespace

/* The names contain the width of a logit, whether there is a token map, and whether ids travel with the launch. */
#define KERNEL(name, logit, mapped) \
  extern "C" __global__ void name(const __grid_constant__ cuda_params p) { run<logit, mapped>(p, nullptr); }
#define KERNEL_IDS(name, logit, mapped)                                                                          \
  extern "C" __global__ void name(const __grid_constant__ cuda_params p, const __grid_constant__ cuda_ids ids) { \
    run<logit, mapped>(p, &ids);                                                                                 \
  }

KERNEL(apply_32, uint32_t, false)
KERNEL(apply_16, uint16_t, false)
KERNEL(apply_mapped_32, uint32_t, true)
KERNEL(apply_mapped_16, uint16_t, true)
KERNEL_IDS(apply_32_ids, uint32_t, false)
KERNEL_IDS(apply_16_ids, uint16_t, false)
KERNEL_IDS(apply_mapped_32_ids, uint32_t, true)
KERNEL_IDS(apply_mapped_16_ids, uint16_t, true)
