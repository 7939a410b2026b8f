// sluice/cuda.hpp: GPUs, and masks that stay on them. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_CUDA_HPP
#define SLUICE_CUDA_HPP

namespace sluice {

// devices counts the GPUs and names their driver; device describes one of them.
inline sluice_devices_facts devices() {
  detail::failure e;
  sluice_devices_facts f{};
  f.struct_size = sizeof f;
  e.check(sluice_devices(&f, &e));
  return f;
}
inline sluice_device_facts device(std::uint32_t index) {
  detail::failure e;
  sluice_device_facts f{};
  f.struct_size = sizeof f;
  e.check(sluice_device_info(index, &f, &e));
  return f;
}
// cuda_prepare loads the kernels on a device; cuda_apply applies masks there, on a stream of the driver.
inline void cuda_prepare(std::int32_t device) {
  detail::failure e;
  e.check(sluice_cuda_prepare(device, &e));
}
inline void cuda_apply(sluice_apply_args args, void *stream) {
  detail::failure e;
  args.struct_size = sizeof args;
  e.check(sluice_cuda_apply(&args, stream, &e));
}

// cuda_pool keeps masks on a device. Any number of threads may share it.
class cuda_pool : public detail::handle<sluice_cuda_pool_free> {
 public:
  explicit cuda_pool(sluice_cuda_pool_options options) : handle(make(options)) {}

  // put copies masks to the device; it writes ids, and the ticket of the step, into put.
  void put(sluice_cuda_put &put, void *stream) const {
    detail::failure e;
    put.struct_size = sizeof put;
    put.pool = get();
    put.stream = stream;
    e.check(sluice_cuda_pool_put(&put, &e));
  }
  // apply applies the masks of a step and closes its ticket; close only closes the ticket.
  void apply(sluice_apply_args args, sluice_cuda_pool_use use, void *stream) const {
    detail::failure e;
    args.struct_size = sizeof args;
    use.struct_size = sizeof use;
    use.pool = get();
    e.check(sluice_cuda_pool_apply(&args, &use, stream, &e));
  }
  void close(std::uint64_t ticket, void *stream) const {
    detail::failure e;
    e.check(sluice_cuda_pool_close(get(), ticket, stream, &e));
  }
  // facts returns the size of the pool and its counters.
  sluice_cuda_pool_facts facts() const {
    detail::failure e;
    sluice_cuda_pool_facts f{};
    f.struct_size = sizeof f;
    e.check(sluice_cuda_pool_info(get(), &f, &e));
    return f;
  }

 private:
  static std::uint64_t make(sluice_cuda_pool_options options) {
    detail::failure e;
    sluice_cuda_pool id = 0;
    options.struct_size = sizeof options;
    e.check(sluice_cuda_pool_new(&options, &id, &e));
    return id;
  }
};

}  // namespace sluice

#endif  // SLUICE_CUDA_HPP
