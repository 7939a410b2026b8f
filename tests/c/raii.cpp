// The C++ classes: a generation, errors as exceptions, and who owns what.
#include <sluice.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)

// byte_vocabulary has the bytes as tokens 0 to 255 and one end token.
static sluice::vocabulary byte_vocabulary() {
  static std::uint8_t bytes[260], flags[257];
  static std::uint64_t offsets[258];
  static const std::uint32_t end = 256;
  for (unsigned i = 0; i <= 256; i++) {
    bytes[i] = static_cast<std::uint8_t>(i);
    offsets[i] = i;
  }
  std::memcpy(bytes + 256, "</s>", 4);
  offsets[257] = 260;
  flags[256] = SLUICE_TOKEN_SPECIAL;
  sluice_vocabulary_config config{};
  config.n_tokens = 257;
  config.bytes = bytes;
  config.offsets = offsets;
  config.flags = flags;
  config.end_tokens = &end;
  config.n_end_tokens = 1;
  return sluice::vocabulary::from_memory(config);
}

template <typename Call>
static sluice_status code_of(Call call) {
  try {
    call();
  } catch (const sluice::error &e) {
    CHECK(std::strlen(e.what()) > 0);
    return e.code();
  }
  return SLUICE_OK;
}

int main() {
  sluice::vocabulary v = byte_vocabulary();
  CHECK(v.facts().size == 257 && v.row().size() == 9);
  sluice::compiler c(v);
  sluice::grammar g = c.compile(SLUICE_KIND_EBNF, "root ::= \"hello \" [a-c]+ \"!\"");
  CHECK(g.notes().empty() && g.facts().states > 0);

  sluice::matcher m(g);
  CHECK(m.forced_text() == "hello ");
  CHECK(m.accept_text("hello ") && !m.accept_text("x") && m.accept('a') && !m.accept('d'));
  sluice::matcher f = m.fork();
  CHECK(f.accept('!') && f.completed() && !f.terminated() && !m.completed());
  CHECK(f.accept(256) && f.terminated());
  m.rollback(1);
  const std::int32_t ids[] = {'b', 'c', '?'};
  CHECK(m.validate(ids, 3) == 2 && m.accept(ids, 3) == 2);
  auto row = v.row();
  CHECK(m.fill(row) && (row['!' / 32] >> ('!' % 32) & 1) != 0);

  std::uint64_t old = f.get();
  f = std::move(m);  // both stay owned, once each
  m.reset();
  CHECK(m.get() == old && m.forced_text() == "hello ");

  auto begun = c.start(SLUICE_KIND_REGEX, "a+b", 0);
  CHECK(std::holds_alternative<sluice::job>(begun));
  auto waited = std::get<sluice::job>(begun).wait();
  CHECK(waited.has_value());
  CHECK(code_of([&] { std::get<sluice::job>(begun).wait(); }) == SLUICE_E_HANDLE);  // a job ends once
  sluice::matcher slow(*waited);
  CHECK(!slow.try_accept_text("aab", 0) && slow.try_accept_text("aab", UINT32_MAX) == true && slow.completed());
  slow.reset();
  const std::int32_t letters[] = {'a', 'b', 'b'};
  CHECK(slow.try_accept(letters, 3, UINT32_MAX) == 2u);
  CHECK(std::holds_alternative<sluice::grammar>(c.start(SLUICE_KIND_REGEX, "a+b", UINT32_MAX)));
  CHECK(code_of([&] { c.start(SLUICE_KIND_REGEX, "((", UINT32_MAX); }) == SLUICE_E_SYNTAX);

  CHECK(code_of([&] { f.rollback(1000); }) == SLUICE_E_ARGUMENT);
  CHECK(code_of([&] { c.compile(SLUICE_KIND_REGEX, "(("); }) == SLUICE_E_SYNTAX);
  CHECK(code_of([&] { sluice::vocabulary::from_file("/nowhere/at/all"); }) == SLUICE_E_IO);
  CHECK(sluice::capabilities().find("\"kinds\"") != std::string::npos);
  sluice::matcher taken = std::move(f);
  CHECK(code_of([&] { f.reset(); }) == SLUICE_E_HANDLE);
  return 0;
}
