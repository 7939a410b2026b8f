// sluice/stops.hpp: strings at which an output stops. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_STOPS_HPP
#define SLUICE_STOPS_HPP

namespace sluice {

// set_stop_strings makes an output stop at the first of these strings; see sluice_matcher_set_stop_strings.
inline void set_stop_strings(matcher &m, const std::vector<std::string_view> &strings) {
  detail::failure e;
  const detail::octets all(strings);
  e.check(sluice_matcher_set_stop_strings(m.get(), all.bytes.data(), all.lengths.data(), strings.size(), &e));
}

// stopped returns how an output stands to its stop strings.
inline sluice_stop stopped(const matcher &m) {
  detail::failure e;
  sluice_stop s{};
  e.check(sluice_matcher_stopped(m.get(), &s, &e));
  return s;
}

}  // namespace sluice

#endif  // SLUICE_STOPS_HPP
