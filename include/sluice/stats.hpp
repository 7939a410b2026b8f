// sluice/stats.hpp: the work of a compiler, for dashboards. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_STATS_HPP
#define SLUICE_STATS_HPP

namespace sluice {

// stats returns the work of a compiler, its grammars and their matchers so far.
inline sluice_compiler_stats stats(const compiler &c) {
  detail::failure e;
  sluice_compiler_stats s{};
  s.struct_size = sizeof s;
  e.check(sluice_compiler_get_stats(c.get(), &s, &e));
  return s;
}

// prometheus returns the same in the text format of Prometheus.
inline std::string prometheus(const compiler &c) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_compiler_prometheus(c.get(), text, capacity, length, e);
  });
}

// stats_message returns them as a message sluice.v1.CompilerStats of protobuf.
inline std::string stats_message(const compiler &c) {
  return detail::written([&](char *message, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_compiler_stats_message(c.get(), reinterpret_cast<std::uint8_t *>(message), capacity, length, e);
  });
}

}  // namespace sluice

#endif  // SLUICE_STATS_HPP
