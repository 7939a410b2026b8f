// sluice/kernels.hpp: masks on logits, on this CPU. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_KERNELS_HPP
#define SLUICE_KERNELS_HPP

namespace sluice {

// apply applies masks to logits on this CPU. It sets struct_size, as the functions after it do.
inline void apply(sluice_apply_args args) {
  detail::failure e;
  args.struct_size = sizeof args;
  e.check(sluice_apply(&args, &e));
}
// apply_sparse applies a mask to candidates and returns how many keep their logit.
inline std::size_t apply_sparse(sluice_sparse_args args) {
  detail::failure e;
  std::size_t kept = 0;
  args.struct_size = sizeof args;
  e.check(sluice_apply_sparse(&args, &kept, &e));
  return kept;
}
// apply_dlpack applies masks to tensors with DLPack's exchange functions; false: it cannot, and apply says why.
inline bool apply_dlpack(const void *exchange, void *logits, void *masks) noexcept {
  return sluice_apply_dlpack(exchange, logits, masks) == SLUICE_OK;
}
// mask_filter forbids or allows tokens in a row; flags are SLUICE_FILTER_*.
inline void mask_filter(std::vector<std::uint32_t> &row, const std::vector<std::int32_t> &ids,
                        std::uint32_t flags = 0) {
  detail::failure e;
  e.check(sluice_mask_filter(row.data(), row.size(), ids.data(), ids.size(), flags, &e));
}
// cpu_level returns the SLUICE_CPU_* that SLUICE_CPU_BEST selects on this machine.
inline std::uint32_t cpu_level() noexcept { return sluice_cpu_level(); }

}  // namespace sluice

#endif  // SLUICE_KERNELS_HPP
