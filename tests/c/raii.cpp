// The C++ classes: a generation, errors as exceptions, and who owns what.
#include <sluice.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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
  sluice::compiler c(v, R"({"warm_bytes": 0})");  // what calls that never wait do without is there for them
  sluice::grammar g = c.compile(SLUICE_KIND_EBNF, "root ::= \"hello \" [a-c]+ \"!\"");
  CHECK(g.notes().empty() && g.facts().states > 0);

  sluice::matcher m(g);
  CHECK(m.forced_text() == "hello ");
  CHECK(m.explain('x').find("not allowed") != std::string::npos);
  CHECK(m.explanation('x').find("\"offset\":0") != std::string::npos);
  CHECK(m.explanation("helx").find("\"offset\":3") != std::string::npos);
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
  CHECK(c.find(SLUICE_KIND_REGEX, "a+b").has_value() && !c.find(SLUICE_KIND_REGEX, "a+c").has_value());
  CHECK(c.cache().entries > 0 && sluice::stats(c).cache_entries == c.cache().entries);
  CHECK(sluice::stats_message(c).size() > 100);
  sluice::compiler loaded = sluice::load(v, sluice::save(c));
  CHECK(sluice::save(loaded) == sluice::save(c));
  CHECK(code_of([&] { sluice::load(v, "no file"); }) == SLUICE_E_SYNTAX);
  CHECK(sluice::prometheus(c).find("sluice_cache_requests_total{result=\"hit\"}") != std::string::npos);
  c.clear();
  CHECK(c.cache().entries == 0 && !c.find(SLUICE_KIND_REGEX, "a+b").has_value());
  begun = c.start(SLUICE_KIND_REGEX, "a+b", 0);
  int ends[2];
  std::uint64_t told = 0;
  CHECK(pipe(ends) == 0);
  std::get<sluice::job>(begun).notify(ends[1]);
  CHECK(read(ends[0], &told, sizeof told) == sizeof told && told == std::get<sluice::job>(begun).get());
  std::get<sluice::job>(begun).cancel();  // too late
  CHECK(std::get<sluice::job>(begun).wait(0).has_value());
  sluice::matcher slow(*waited);
  CHECK(!slow.try_accept_text("aab", 0) && slow.try_accept_text("aab", UINT32_MAX) == true && slow.completed());
  slow.reset();
  const std::int32_t letters[] = {'a', 'b', 'b'};
  CHECK(slow.try_accept(letters, 3, UINT32_MAX) == 2u);
  CHECK(std::holds_alternative<sluice::grammar>(c.start(SLUICE_KIND_REGEX, "a+b", UINT32_MAX)));
  CHECK(code_of([&] { c.start(SLUICE_KIND_REGEX, "((", UINT32_MAX); }) == SLUICE_E_SYNTAX);

  CHECK(v.token('a') == "a" && v.end_tokens() == std::vector<std::uint32_t>{256});
  std::uint32_t flags = 0;
  CHECK(v.token(256, &flags) == "</s>" && flags == (SLUICE_TOKEN_SPECIAL | SLUICE_TOKEN_END));
  CHECK(v.token_id("</s>") == 256 && code_of([&] { v.token(257); }) == SLUICE_E_ARGUMENT);
  CHECK(sluice::vocabulary::from_data("YQ== 0\nYg== 1\n").facts().size == 2);
  CHECK(sluice::version() == SLUICE_VERSION && sluice::abi_version() == SLUICE_ABI_VERSION);

  sluice::matcher fresh(c.compile(SLUICE_KIND_REGEX, "[xy]z{2}w"));
  CHECK(!fresh.try_accept('x') && fresh.accept('x') && fresh.length() == 1);
  CHECK(!fresh.try_forced_text(0) && fresh.try_forced_text(UINT32_MAX) == "zzw");
  const std::int32_t rest[] = {'z', 'z', 'x'};
  CHECK(fresh.try_validate(rest, 3, UINT32_MAX) == 2u);
  CHECK(fresh.fill(row) && fresh.try_fill(row.data(), row.size()) == true && fresh.try_accept('z') == true);
  CHECK(fresh.fill(row) && fresh.mask_key().low != 0);

  CHECK(fresh.finished() == false && fresh.accept_text("zw") && fresh.finished() == true && !fresh.terminated());
  std::vector<std::uint32_t> filtered(2, 0);
  sluice::mask_filter(filtered, {1, 33}, SLUICE_FILTER_ALLOW);
  CHECK(filtered == (std::vector<std::uint32_t>{2, 2}));
  sluice::mask_filter(filtered, {1}, SLUICE_FILTER_RESET);
  CHECK(filtered == (std::vector<std::uint32_t>{~2u, ~0u}));
  CHECK(code_of([&] { sluice::mask_filter(filtered, {64}); }) == SLUICE_E_ARGUMENT && filtered[0] == ~2u);
  CHECK(code_of([&] { sluice::mask_filter(filtered, {-1}); }) == SLUICE_E_ARGUMENT);
  CHECK(code_of([&] { sluice::mask_filter(filtered, {}, 4); }) == SLUICE_E_ARGUMENT);

  sluice::batch b(3);
  sluice::matcher one(waited.value()), two(waited.value());
  b.set(0, one);
  b.set(2, two);
  std::vector<std::uint32_t> masks(9 * row.size(), 7);
  b.masks(masks.data(), 9, row.size());
  CHECK(!b.try_fill(0) || b.statuses()[0] == SLUICE_OK);
  while (!b.try_fill(1000)) {
  }
  b.fill();
  b.keep();
  b.fill();
  CHECK(b.unchanged()[0] == 0 && b.unchanged()[2] == 0);
  b.fill();
  CHECK(b.unchanged()[0] == 1 && b.unchanged()[2] == 1);
  CHECK(b.constrained()[2] == 1 && masks[row.size()] == 7 && (masks[2 * row.size() + 'a' / 32] >> ('a' % 32) & 1) != 0);
  const std::int32_t sampled[] = {'a', -1, '?'};
  b.tokens(sampled);
  CHECK(b.validate() && b.accept() && b.done()[0] == 1 && b.statuses()[2] == SLUICE_E_REJECTED && one.length() == 1);
  const std::uint32_t steps[] = {1, 9, 0}, counts[] = {2, 0, 1};
  b.rollback(steps);
  CHECK(one.length() == 0 && b.states()[0] == 0);
  CHECK(b.accept_bytes({"a", "", {}}) && b.done()[0] == 1 && one.length() == 1);
  b.set_max_tokens({9, 0, 0});
  CHECK(code_of([&] { b.set_max_tokens({1, 0, 0}); }) == SLUICE_E_UNSATISFIABLE);
  b.set_max_tokens({0, 0, 0});
  b.set_stop_strings({{"a"}, {}, {"bc", "b"}});
  CHECK(b.stops()[0].string == SLUICE_NO_STOP);
  CHECK(code_of([&] { b.set_stop_strings({{""}, {}, {"bc", "b"}}); }) == SLUICE_E_ARGUMENT);
  CHECK(b.accept_bytes({{}, {}, "ab"}) && b.stops()[0].held_back == 0);
  CHECK(b.stops()[2].string == 1 && b.stops()[2].behind == 1);
  CHECK(sluice::stopped(two).string == 1 && (two.rollback(1), sluice::stopped(two).string == SLUICE_NO_STOP));
  sluice::set_stop_strings(two, {});
  sluice::set_stop_strings(one, {});
  const std::uint32_t last[] = {1, 0, 0};
  b.rollback(last);
  std::vector<float> temperatures(9, 7.0f);
  b.temperatures(temperatures.data());
  const std::int32_t drafts[] = {'a', 'b', 'b'};
  b.tokens(drafts, counts);
  CHECK(b.fill_chains() && temperatures[0] == 7.0f && b.done()[0] == 2 && b.done()[2] == 0);
  const std::int64_t none[] = {-1, -1, -1}, children[] = {-1, -1, -1};
  sluice_trees trees{};
  trees.nodes = 1;
  trees.next_token = children;
  trees.next_sibling = trees.tokens = none;
  b.rows({4, 5, 6});
  CHECK(b.fill_trees(trees) && b.done()[0] == 1);
  auto keys = b.keys();
  CHECK(keys[0].low == keys[2].low && keys[1].low == 0 && b.try_keys(keys, 0));
  {
    // A place that fails does not restart the others: unfinished work continues.
    sluice::matcher known(waited.value()), cold(c.compile(SLUICE_KIND_REGEX, "a[qr]{3}"));
    CHECK(known.accept('a') && (known.reset(), true));
    sluice::batch mixed(3);
    mixed.set(0, known);
    mixed.set(1, cold);
    {
      sluice::matcher gone(waited.value());
      mixed.set(2, gone);
    }
    const std::int32_t both[] = {'a', 'a', 'a'};
    mixed.tokens(both);
    CHECK(code_of([&] { mixed.accept(0); }) == SLUICE_E_HANDLE && mixed.statuses()[1] == SLUICE_E_UNFINISHED);
    CHECK(mixed.accept() && known.length() == 1 && cold.length() == 1 && mixed.statuses()[2] == SLUICE_E_HANDLE);
  }
  b.clear(2);
  b.set(1, one);
  CHECK(code_of([&] { b.fill(); }) == SLUICE_E_BUSY && b.statuses()[0] == SLUICE_OK);

  float logits[320] = {};
  sluice_apply_args args{};
  args.dtype = SLUICE_DTYPE_F32;
  args.logits = logits;
  args.n_logit_rows = args.n_mask_rows = args.n = 1;
  args.logit_stride = args.vocab_size = 257;
  args.masks = masks.data() + 4 * row.size();
  args.mask_stride = args.mask_words = row.size();
  sluice::apply(args);
  CHECK(logits['a'] == 0 && logits['b'] < -1e30f && sluice::cpu_level() >= SLUICE_CPU_GENERIC);
  const std::int32_t candidates[] = {'a', 'b'};
  sluice_sparse_args sparse{};
  sparse.dtype = SLUICE_DTYPE_F32;
  sparse.ids = candidates;
  sparse.id_step = sparse.logit_step = 4;
  sparse.logits = logits + 300;
  sparse.n = 2;
  sparse.mask = args.masks;
  sparse.mask_words = row.size();
  CHECK(sluice::apply_sparse(sparse) == 1 && !sluice::apply_dlpack(nullptr, nullptr, nullptr));
  CHECK(code_of([] { sluice::device(1u << 20); }) != SLUICE_OK && sluice::devices().struct_size > 0);
  CHECK(code_of([] { sluice::cuda_pool(sluice_cuda_pool_options{}); }) != SLUICE_OK);

  CHECK(code_of([&] { f.rollback(1000); }) == SLUICE_E_ARGUMENT);
  CHECK(code_of([&] { c.compile(SLUICE_KIND_REGEX, "(("); }) == SLUICE_E_SYNTAX);
  CHECK(code_of([&] { sluice::vocabulary::from_file("/nowhere/at/all"); }) == SLUICE_E_IO);
  CHECK(sluice::capabilities().find("\"kinds\"") != std::string::npos);
  CHECK(sluice::families().find("\"hermes\"") != std::string::npos);
  CHECK(sluice::request_tools("{}").find("\"auto\"") != std::string::npos);
  const std::string both = sluice::combine(SLUICE_CONCAT, {{SLUICE_KIND_REGEX, "a+"}, {SLUICE_KIND_CHOICE, "[\"b\"]"}});
  CHECK(sluice::check(SLUICE_KIND_STRUCTURAL_TAG, both, "{\"special_tokens\": \"tokens\"}") == "[]");
  CHECK(sluice::check(SLUICE_KIND_REGEX, "a") == "[]");
  CHECK(sluice::to_ebnf(SLUICE_KIND_EBNF, "root::=\"a\"") == "root ::= \"a\"\n");
  CHECK(code_of([&] { sluice::check(SLUICE_KIND_REGEX, "a", "{\"compact\": true}"); }) == SLUICE_E_ARGUMENT);
  CHECK(sluice::read_request("{\"regex\": \"a\"}").find("\"kind\":\"regex\"") != std::string::npos);
  CHECK(code_of([&] { sluice::read_request("[]"); }) == SLUICE_E_INVALID);
  sluice::set_max_tokens(f, sluice::min_tokens(f));
  CHECK(code_of([&] { sluice::set_max_tokens(f, sluice::min_tokens(f) - 1); }) ==
        (sluice::min_tokens(f) > 1 ? SLUICE_E_UNSATISFIABLE : SLUICE_OK));
  sluice_matcher_options keeping{};
  keeping.struct_size = sizeof keeping;
  keeping.flags = SLUICE_KEEP_OUTPUT;
  sluice::matcher list(c.compile(SLUICE_KIND_JSON_SCHEMA, R"({"type": "array"})"), keeping);
  CHECK(list.accept_text("[12"));
  auto events = sluice::events(list);
  CHECK(events.size() == 2 && events[1].pointer == "/0" && events[1].text == "12" && !events[1].ends);
  list.rollback(1);
  CHECK(list.accept_text("[]") && sluice::events(list, true).at(0).kind == SLUICE_EVENT_REWIND);
  auto calls = sluice::parse_calls("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"é\"}}\n</tool_call>", "{}",
                                   R"({"family": "hermes"})");
  CHECK(calls.size() == 5 && calls[0].begins && calls[0].text == "f" && calls[2].json == R"("a":"é")" &&
        calls[2].pointer.empty());
  CHECK(code_of([&] { sluice::forced_tokens(f); }) == SLUICE_E_ARGUMENT);  // the vocabulary has no tokenizer
  CHECK(code_of([&] { sluice::drafts(f, 4); }) == SLUICE_E_ARGUMENT);
  sluice::matcher taken = std::move(f);
  CHECK(code_of([&] { f.reset(); }) == SLUICE_E_HANDLE);
  return 0;
}
