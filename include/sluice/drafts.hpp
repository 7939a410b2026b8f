// sluice/drafts.hpp: tokens that need no step of the model. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_DRAFTS_HPP
#define SLUICE_DRAFTS_HPP

namespace sluice {

// forced_tokens returns the forced text as tokens, cut as the model's tokenizer cuts them; see
// sluice_matcher_forced_tokens. The vocabulary must have its tokenizer.
inline std::vector<std::int32_t> forced_tokens(const matcher &m) {
  detail::failure e;
  std::vector<std::int32_t> ids(16);
  std::size_t n = 0;
  for (;;) {
    e.check(sluice_matcher_forced_tokens(m.get(), ids.data(), ids.size(), &n, UINT32_MAX, &e));
    const bool all = n <= ids.size();
    ids.resize(n);
    if (all) return ids;
  }
}

// drafts returns up to k tokens that are likely to come next, all of them allowed; see sluice_matcher_drafts.
inline std::vector<std::int32_t> drafts(const matcher &m, std::size_t k) {
  detail::failure e;
  std::vector<std::int32_t> ids(k);
  std::size_t n = 0;
  e.check(sluice_matcher_drafts(m.get(), ids.data(), k, &n, UINT32_MAX, &e));
  ids.resize(n);
  return ids;
}

}  // namespace sluice

#endif  // SLUICE_DRAFTS_HPP
