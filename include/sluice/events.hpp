// sluice/events.hpp: values and calls while an output is written. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_EVENTS_HPP
#define SLUICE_EVENTS_HPP

#include <algorithm>

namespace sluice {

// event is a step of an output; sluice_event explains the members.
struct event {
  std::uint32_t kind = 0;
  bool begins = false;
  bool ends = false;
  std::uint32_t call = SLUICE_NO_CALL;
  std::uint32_t kept = 0;
  std::string pointer;
  std::string text;
  std::string json;
};

namespace detail {
// events returns the events that a call writes.
template <typename Call>
std::vector<event> events(Call call) {
  failure e;
  std::vector<sluice_event> all(4);
  std::string bytes(256, '\0');
  std::size_t n = 0, length = 0;
  for (;;) {
    e.check(
        call(all.data(), all.size(), &n, reinterpret_cast<std::uint8_t *>(bytes.data()), bytes.size(), &length, &e));
    if (n <= all.size() && length <= bytes.size()) {
      break;
    }
    all.resize(std::max(n, all.size()));
    bytes.resize(std::max(length, bytes.size()));
  }
  std::vector<event> out;
  for (std::size_t i = 0; i < n; i++) {
    const sluice_event &x = all[i];
    out.push_back({x.kind, (x.flags & SLUICE_EVENT_BEGINS) != 0, (x.flags & SLUICE_EVENT_ENDS) != 0, x.call, x.kept,
                   bytes.substr(x.pointer, x.pointer_length), bytes.substr(x.text, x.text_length),
                   bytes.substr(x.json, x.json_length)});
  }
  return out;
}
}  // namespace detail

// events returns the events of a matcher's output since the last call; see sluice_matcher_events. final: the output has
// ended here, also without an end token.
inline std::vector<event> events(matcher &m, bool final = false) {
  return detail::events([&](sluice_event *p, std::size_t capacity, std::size_t *n, std::uint8_t *bytes,
                            std::size_t size, std::size_t *length, sluice_error *e) {
    return sluice_matcher_events(m.get(), final ? std::uint32_t{SLUICE_EVENTS_FINAL} : 0, p, capacity, n, bytes, size,
                                 length, e);
  });
}

// parse_calls returns the events of a finished output that answers a request, without pointers; see sluice_parse_calls.
inline std::vector<event> parse_calls(std::string_view text, std::string_view request, std::string_view options) {
  return detail::events([&](sluice_event *p, std::size_t capacity, std::size_t *n, std::uint8_t *bytes,
                            std::size_t size, std::size_t *length, sluice_error *e) {
    return sluice_parse_calls(text.data(), text.size(), request.data(), request.size(), options.data(), options.size(),
                              p, capacity, n, bytes, size, length, e);
  });
}

}  // namespace sluice

#endif  // SLUICE_EVENTS_HPP
