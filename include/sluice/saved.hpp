// sluice/saved.hpp: a compiler as a file. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_SAVED_HPP
#define SLUICE_SAVED_HPP

namespace sluice {

// save returns a compiler as a file; vocabulary::from_data reads its vocabulary.
inline std::string save(const compiler &c) {
  return detail::written([&](char *bytes, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_compiler_save(c.get(), reinterpret_cast<std::uint8_t *>(bytes), capacity, length, e);
  });
}

// load makes a compiler with the work in a file of save; v has the vocabulary's hash of the file.
inline compiler load(const vocabulary &v, std::string_view file, std::string_view options = {}) {
  detail::failure e;
  sluice_compiler id = 0;
  e.check(sluice_compiler_load(v.get(), reinterpret_cast<const std::uint8_t *>(file.data()), file.size(),
                               options.data(), options.size(), &id, &e));
  return compiler(id);
}

}  // namespace sluice

#endif  // SLUICE_SAVED_HPP
