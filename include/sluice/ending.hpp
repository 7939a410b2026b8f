// sluice/ending.hpp: outputs that are complete within a number of tokens. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_ENDING_HPP
#define SLUICE_ENDING_HPP

namespace sluice {

// set_max_tokens limits a matcher to n more tokens, in which its output will be complete; 0 removes the limit.
inline void set_max_tokens(matcher &m, std::uint32_t n) {
  detail::failure e;
  e.check(sluice_matcher_set_max_tokens(m.get(), n, &e));
}

// min_tokens returns the number of tokens that complete the output from here; see sluice_matcher_min_tokens.
inline std::uint32_t min_tokens(const matcher &m) {
  detail::failure e;
  std::uint32_t n = 0;
  e.check(sluice_matcher_min_tokens(m.get(), &n, &e));
  return n;
}

}  // namespace sluice

#endif  // SLUICE_ENDING_HPP
