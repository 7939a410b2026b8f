// sluice.hpp: sluice.h for C++17, as classes that own their handles. sluice.h documents meaning, cost and threads of
// each call; docs/c.md has a server that uses these classes.
//
// Objects are moved, not copied; fork() copies a matcher. A failed call throws sluice::error. A rejected token is an
// answer: accept() and validate() return how many tokens were allowed.
#ifndef SLUICE_HPP
#define SLUICE_HPP

#include <sluice.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {

// error is the exception of a failed call. what() is the message, or the name of the status if the function of sluice.h
// has no parameter for an error (accept and try_accept of one token, try_fill, job::cancel).
class error : public std::runtime_error {
 public:
  error(sluice_status code, const sluice_error &e)
      : std::runtime_error(e.code == code ? std::string(e.message) : std::string(sluice_status_name(code))),
        detail_(e.code == code ? std::make_shared<sluice_error>(e) : std::make_shared<sluice_error>()),
        code_(code) {}

  // code is one of SLUICE_E_*.
  sluice_status code() const noexcept { return code_; }
  // detail is the error in parts, with its place; see sluice_error.
  const sluice_error &detail() const noexcept { return *detail_; }

 private:
  std::shared_ptr<const sluice_error> detail_;  // shared, so that copying the exception cannot throw
  sluice_status code_;
};

namespace detail {

// failure is the error struct of one call. Its 2 KiB are not cleared: most calls never write them.
struct failure : sluice_error {
  failure() {
    struct_size = sizeof(sluice_error);
    code = SLUICE_OK;
  }
  // check throws if a status is not SLUICE_OK.
  void check(sluice_status status) const {
    if (status != SLUICE_OK) {
      throw error(status, *this);
    }
  }
  // answer throws if a status is neither SLUICE_OK nor SLUICE_E_REJECTED, and tells whether it is the former.
  bool answer(sluice_status status) const {
    if (status != SLUICE_E_REJECTED) {
      check(status);
    }
    return status == SLUICE_OK;
  }
};

// handle owns one handle of the library.
template <sluice_status (*Free)(std::uint64_t)>
class handle {
 public:
  handle() = default;
  explicit handle(std::uint64_t id) noexcept : id_(id) {}
  handle(handle &&other) noexcept : id_(std::exchange(other.id_, 0)) {}
  handle &operator=(handle &&other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~handle() {
    if (id_ != 0) {
      Free(id_);
    }
  }
  // get returns the handle for calls of sluice.h; 0 if a new object was made from this one. A move assignment swaps.
  std::uint64_t get() const noexcept { return id_; }

 private:
  std::uint64_t id_ = 0;
};

}  // namespace detail

// version and abi_version describe the loaded library; the header's are SLUICE_VERSION and SLUICE_ABI_VERSION.
inline std::string version() { return sluice_version(); }
inline std::uint32_t abi_version() noexcept { return sluice_abi_version(); }

namespace detail {

// written returns the text that a call writes into a buffer; it makes the call again if the buffer was too small.
template <typename Call>
std::string written(Call call) {
  detail::failure e;
  std::string text;
  std::size_t length = 4096;
  do {
    text.resize(length);
    e.check(call(&text[0], text.size(), &length, &e));
  } while (length > text.size());
  text.resize(length);
  return text;
}

}  // namespace detail

// capabilities returns a table of all that the library enforces, as JSON; see sluice_capabilities.
inline std::string capabilities() { return detail::written(sluice_capabilities); }

// check tests a constraint without a vocabulary and returns its notes as JSON; see sluice_check.
inline std::string check(std::uint32_t kind, std::string_view spec, std::string_view options = {},
                         sluice_vocabulary vocabulary = 0, std::uint64_t budget = 0) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_check(kind, spec.data(), spec.size(), options.data(), options.size(), vocabulary, budget, text,
                        capacity, length, e);
  });
}

// combine returns a structural tag that combines constraints, each a kind and a text; see sluice_combine.
inline std::string combine(std::uint32_t how, const std::vector<std::pair<std::uint32_t, std::string_view>> &parts) {
  std::vector<std::uint32_t> kinds;
  std::vector<const char *> specs;
  std::vector<std::size_t> lengths;
  for (const auto &part : parts) {
    kinds.push_back(part.first);
    specs.push_back(part.second.data());
    lengths.push_back(part.second.size());
  }
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_combine(how, parts.size(), kinds.data(), specs.data(), lengths.data(), text, capacity, length, e);
  });
}

// to_ebnf returns a grammar as EBNF; see sluice_to_ebnf.
inline std::string to_ebnf(std::uint32_t kind, std::string_view spec, std::string_view options = {}) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_to_ebnf(kind, spec.data(), spec.size(), options.data(), options.size(), text, capacity, length, e);
  });
}

// families returns the families of models that the library knows, as JSON; see sluice_families.
inline std::string families() { return detail::written(sluice_families); }

// family_of returns the name of the family of a model; see sluice_family_of.
inline std::string family_of(std::string_view model) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_family_of(model.data(), model.size(), text, capacity, length, e);
  });
}

// request_tools returns which tools a request allows to call, as JSON; see sluice_request_tools.
inline std::string request_tools(std::string_view request) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_request_tools(request.data(), request.size(), text, capacity, length, e);
  });
}

// read_request returns the constraint of a request, as JSON; see sluice_request_read.
inline std::string read_request(std::string_view request, std::string_view options = {}, sluice_vocabulary v = 0) {
  return detail::written([&](char *text, std::size_t capacity, std::size_t *length, sluice_error *e) {
    return sluice_request_read(request.data(), request.size(), options.data(), options.size(), v, text, capacity,
                               length, e);
  });
}

// vocabulary holds the bytes of each token. Any number of threads may share it.
class vocabulary : public detail::handle<sluice_vocabulary_free> {
 public:
  using handle::handle;

  // from_file reads a tokenizer's file; options may be null.
  static vocabulary from_file(std::string_view path, const sluice_vocabulary_options *options = nullptr) {
    detail::failure e;
    sluice_vocabulary id = 0;
    e.check(sluice_vocabulary_from_file(path.data(), path.size(), options, &id, &e));
    return vocabulary(id);
  }
  // from_data reads the content of a tokenizer's file; format is SLUICE_FORMAT_*, options may be null.
  static vocabulary from_data(std::string_view data, std::uint32_t format = SLUICE_FORMAT_AUTO,
                              const sluice_vocabulary_options *options = nullptr) {
    detail::failure e;
    sluice_vocabulary id = 0;
    e.check(sluice_vocabulary_from_data(format, reinterpret_cast<const std::uint8_t *>(data.data()), data.size(),
                                        options, &id, &e));
    return vocabulary(id);
  }
  // from_memory copies a vocabulary from arrays; it sets struct_size.
  static vocabulary from_memory(sluice_vocabulary_config config) {
    detail::failure e;
    sluice_vocabulary id = 0;
    config.struct_size = sizeof config;
    e.check(sluice_vocabulary_new(&config, &id, &e));
    return vocabulary(id);
  }
  // facts returns the sizes of the vocabulary, and its hash.
  sluice_vocabulary_facts facts() const {
    detail::failure e;
    sluice_vocabulary_facts f{};
    f.struct_size = sizeof f;
    e.check(sluice_vocabulary_info(get(), &f, &e));
    return f;
  }
  // token returns the bytes of an id, "" for an id without bytes. flags, if not null, gets its SLUICE_TOKEN_*.
  std::string token(std::uint32_t id, std::uint32_t *flags = nullptr) const {
    detail::failure e;
    std::size_t length = 0;
    e.check(sluice_vocabulary_token(get(), id, nullptr, 0, &length, flags, &e));
    std::string bytes(length, '\0');
    e.check(sluice_vocabulary_token(get(), id, reinterpret_cast<std::uint8_t *>(bytes.data()), length, nullptr, nullptr,
                                    &e));
    return bytes;
  }
  // token_id returns the special or added token with that name.
  std::uint32_t token_id(std::string_view text) const {
    detail::failure e;
    std::uint32_t id = 0;
    e.check(sluice_vocabulary_token_id(get(), text.data(), text.size(), &id, &e));
    return id;
  }
  // end_tokens returns the ids that end an output, ascending.
  std::vector<std::uint32_t> end_tokens() const {
    detail::failure e;
    std::vector<std::uint32_t> ids(facts().n_end_tokens);
    e.check(sluice_vocabulary_end_tokens(get(), ids.data(), ids.size(), nullptr, &e));
    return ids;
  }
  // row returns memory for one mask.
  std::vector<std::uint32_t> row() const { return std::vector<std::uint32_t>(facts().mask_words); }
};

// grammar is one compiled constraint. Any number of threads may share it.
class grammar : public detail::handle<sluice_grammar_free> {
 public:
  using handle::handle;

  // facts returns the memory and the work of the grammar so far.
  sluice_grammar_facts facts() const {
    detail::failure e;
    sluice_grammar_facts f{};
    f.struct_size = sizeof f;
    e.check(sluice_grammar_info(get(), &f, &e));
    return f;
  }
  // notes returns the differences between the constraint as written and as enforced.
  std::vector<sluice_note> notes() const {
    detail::failure e;
    std::vector<sluice_note> list(facts().n_notes);
    for (std::uint32_t i = 0; i < list.size(); i++) {
      list[i].struct_size = sizeof(sluice_note);
      e.check(sluice_grammar_note(get(), i, &list[i], &e));
    }
    return list;
  }
};

}  // namespace sluice

#include <sluice/jobs.hpp>

namespace sluice {

// compiler compiles constraints for one vocabulary. Any number of threads may share it.
class compiler : public detail::handle<sluice_compiler_free> {
 public:
  using handle::handle;
  explicit compiler(const vocabulary &v, std::string_view options = {}) : handle(make(v, options)) {}

  // compile compiles a constraint; kind is SLUICE_KIND_*, options a JSON object.
  grammar compile(std::uint32_t kind, std::string_view spec, std::string_view options = {}) const {
    detail::failure e;
    sluice_grammar id = 0;
    e.check(sluice_grammar_compile(get(), kind, spec.data(), spec.size(), options.data(), options.size(), &id, &e));
    return grammar(id);
  }
  // start compiles for at most patience microseconds; a compilation that takes longer continues as a job.
  std::variant<grammar, job> start(std::uint32_t kind, std::string_view spec, std::uint32_t patience,
                                   std::string_view options = {}) const {
    detail::failure e;
    sluice_grammar id = 0;
    sluice_job going = 0;
    sluice_status status = sluice_grammar_start(get(), kind, spec.data(), spec.size(), options.data(), options.size(),
                                                patience, &id, &going, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return job(going);
    }
    e.check(status);
    return grammar(id);
  }
  // find returns the grammar of an equal constraint from the cache; none: it is not cached.
  std::optional<grammar> find(std::uint32_t kind, std::string_view spec, std::string_view options = {}) const {
    detail::failure e;
    sluice_grammar id = 0;
    sluice_status status =
        sluice_grammar_find(get(), kind, spec.data(), spec.size(), options.data(), options.size(), &id, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.check(status);
    return grammar(id);
  }
  // cache returns the counters of the cache of grammars; clear empties it.
  sluice_cache_facts cache() const {
    detail::failure e;
    sluice_cache_facts f{};
    f.struct_size = sizeof f;
    e.check(sluice_compiler_cache(get(), &f, &e));
    return f;
  }
  void clear() const {
    detail::failure e;
    e.check(sluice_compiler_clear(get(), &e));
  }

 private:
  static std::uint64_t make(const vocabulary &v, std::string_view options) {
    detail::failure e;
    sluice_compiler id = 0;
    e.check(sluice_compiler_new(v.get(), options.data(), options.size(), &id, &e));
    return id;
  }
};

// matcher follows one sequence. One thread at a time.
class matcher : public detail::handle<sluice_matcher_free> {
 public:
  explicit matcher(const grammar &g, sluice_matcher_options options = {}) : handle(make(g, options)) {}

  // fork returns a second matcher in the same state with the same history.
  matcher fork() const {
    detail::failure e;
    sluice_matcher id = 0;
    e.check(sluice_matcher_fork(get(), &id, &e));
    return matcher(id);
  }
  // accept moves over tokens and returns how many were allowed; it stops at the first that is not.
  std::size_t accept(const std::int32_t *ids, std::size_t n) {
    detail::failure e;
    std::size_t accepted = 0;
    e.answer(sluice_matcher_accept(get(), ids, n, &accepted, &e));
    return accepted;
  }
  // accept moves over one token and returns whether it was allowed.
  bool accept(std::int32_t id) {
    detail::failure e;
    return e.answer(sluice_matcher_accept_token(get(), id));
  }
  // try_accept answers from the caches; none: they have no answer, and the matcher has not moved.
  std::optional<bool> try_accept(std::int32_t id) {
    detail::failure e;
    sluice_status status = sluice_matcher_try_accept_token(get(), id);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    return e.answer(status);
  }
  // accept_text moves over a text, all or nothing, and returns whether it was allowed.
  bool accept_text(std::string_view text) {
    detail::failure e;
    return e.answer(
        sluice_matcher_accept_bytes(get(), reinterpret_cast<const std::uint8_t *>(text.data()), text.size(), &e));
  }
  // validate returns what accept would, without moving the matcher.
  std::size_t validate(const std::int32_t *ids, std::size_t n) const {
    detail::failure e;
    std::size_t valid = 0;
    e.answer(sluice_matcher_validate(get(), ids, n, &valid, &e));
    return valid;
  }
  // try_accept works for at most patience microseconds; none: it takes longer, and the matcher has not moved.
  std::optional<std::size_t> try_accept(const std::int32_t *ids, std::size_t n, std::uint32_t patience) {
    detail::failure e;
    std::size_t accepted = 0;
    sluice_status status = sluice_matcher_try_accept(get(), ids, n, &accepted, patience, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.answer(status);
    return accepted;
  }
  // try_accept_text works for at most patience microseconds; none: it takes longer.
  std::optional<bool> try_accept_text(std::string_view text, std::uint32_t patience) {
    detail::failure e;
    sluice_status status = sluice_matcher_try_accept_bytes(get(), reinterpret_cast<const std::uint8_t *>(text.data()),
                                                           text.size(), patience, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    return e.answer(status);
  }
  // try_validate works for at most patience microseconds; none: it takes longer.
  std::optional<std::size_t> try_validate(const std::int32_t *ids, std::size_t n, std::uint32_t patience) const {
    detail::failure e;
    std::size_t valid = 0;
    sluice_status status = sluice_matcher_try_validate(get(), ids, n, &valid, patience, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.answer(status);
    return valid;
  }
  // rollback takes back the last n steps.
  void rollback(std::size_t n) {
    detail::failure e;
    e.check(sluice_matcher_rollback(get(), n, &e));
  }
  // reset moves the matcher to the start of the grammar.
  void reset() {
    detail::failure e;
    e.check(sluice_matcher_reset(get(), &e));
  }
  // fill writes the set of tokens that may come next, and returns false if all are allowed.
  bool fill(std::uint32_t *row, std::size_t words) const {
    detail::failure e;
    std::uint32_t constrained = 0;
    e.check(sluice_matcher_fill(get(), row, words, &constrained, &e));
    return constrained != 0;
  }
  bool fill(std::vector<std::uint32_t> &row) const { return fill(row.data(), row.size()); }
  // try_fill answers from the caches; none: they have no answer, and the row is unchanged.
  std::optional<bool> try_fill(std::uint32_t *row, std::size_t words) const {
    detail::failure e;
    std::uint32_t constrained = 0;
    sluice_status status = sluice_matcher_try_fill(get(), row, words, &constrained);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.check(status);
    return constrained != 0;
  }
  // mask_key returns the key of the row that fill would write; both members are 0 if it has none.
  sluice_mask_key mask_key() const {
    detail::failure e;
    sluice_mask_key key{};
    e.check(sluice_matcher_mask_key(get(), &key, &e));
    return key;
  }
  // finished returns whether nothing can follow but the end; none: that takes more than patience microseconds.
  std::optional<bool> finished(std::uint32_t patience = UINT32_MAX) const {
    detail::failure e;
    std::uint32_t yes = 0;
    sluice_status status = sluice_matcher_finished(get(), &yes, patience, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.check(status);
    return yes != 0;
  }
  // length returns the number of steps that rollback can take back.
  std::size_t length() const {
    detail::failure e;
    std::size_t n = 0;
    e.check(sluice_matcher_length(get(), &n, &e));
    return n;
  }
  // completed returns whether the output may end here, terminated whether it has ended.
  bool completed() const { return (state() & SLUICE_STATE_COMPLETED) != 0; }
  bool terminated() const { return (state() & SLUICE_STATE_TERMINATED) != 0; }
  // forced_text returns the text that every output continues with.
  std::string forced_text() const {
    detail::failure e;
    std::string text;
    std::size_t length = 0;
    do {
      text.resize(length);
      e.check(
          sluice_matcher_forced_bytes(get(), reinterpret_cast<std::uint8_t *>(text.data()), text.size(), &length, &e));
    } while (length > text.size());
    return text;
  }
  // try_forced_text works for at most patience microseconds; none: it takes longer.
  std::optional<std::string> try_forced_text(std::uint32_t patience) const {
    detail::failure e;
    std::string text;
    std::size_t length = 0;
    do {
      text.resize(length);
      sluice_status status = sluice_matcher_try_forced_bytes(get(), reinterpret_cast<std::uint8_t *>(text.data()),
                                                             text.size(), &length, patience, &e);
      if (status == SLUICE_E_UNFINISHED) {
        return std::nullopt;
      }
      e.check(status);
    } while (length > text.size());
    return text;
  }
  // captures returns the names and texts of captured rules so far, in the order in which the rules ended.
  std::vector<std::pair<std::string, std::string>> captures() const {
    detail::failure e;
    std::vector<sluice_capture> all;
    std::string bytes;
    std::size_t n = 0, length = 0;
    do {
      all.resize(n);
      bytes.resize(length);
      e.check(sluice_matcher_captures(get(), all.data(), all.size(), &n, reinterpret_cast<std::uint8_t *>(bytes.data()),
                                      bytes.size(), &length, &e));
    } while (n > all.size() || length > bytes.size());
    std::vector<std::pair<std::string, std::string>> out;
    for (const sluice_capture &c : all) {
      out.emplace_back(bytes.substr(c.name, c.name_length), bytes.substr(c.text, c.text_length));
    }
    return out;
  }
  // output returns the output so far of a matcher that was made with SLUICE_KEEP_OUTPUT; see sluice_matcher_output.
  std::string output() const {
    return detail::written([&](char *p, std::size_t n, std::size_t *length, sluice_error *e) {
      return sluice_matcher_output(get(), reinterpret_cast<std::uint8_t *>(p), n, length, e);
    });
  }
  // temperature returns the temperature that the grammar sets for the next token, none if it sets none.
  std::optional<double> temperature() const {
    detail::failure e;
    double t = 0;
    std::uint32_t some = 0;
    e.check(sluice_matcher_temperature(get(), &t, &some, &e));
    return some != 0 ? std::optional<double>(t) : std::nullopt;
  }
  // explain says in a sentence why a token is allowed next or why not: the sentence of its explanation.
  std::string explain(std::int32_t id) const {
    return detail::written([&](char *p, std::size_t n, std::size_t *length, sluice_error *e) {
      return sluice_matcher_explain(get(), id, p, n, length, e);
    });
  }
  // explanation says as JSON why a token or a text is allowed next or why not; see sluice_matcher_explanation.
  std::string explanation(std::int32_t id) const { return explanation_of(id, nullptr, 0); }
  std::string explanation(std::string_view text) const {
    return explanation_of(0, reinterpret_cast<const std::uint8_t *>(text.empty() ? "" : text.data()), text.size());
  }

 private:
  std::string explanation_of(std::int32_t id, const std::uint8_t *text, std::size_t size) const {
    return detail::written([&](char *p, std::size_t n, std::size_t *length, sluice_error *e) {
      return sluice_matcher_explanation(get(), id, text, size, p, n, length, e);
    });
  }
  explicit matcher(std::uint64_t id) noexcept : handle(id) {}
  std::uint32_t state() const {
    detail::failure e;
    std::uint32_t s = 0;
    e.check(sluice_matcher_state(get(), &s, &e));
    return s;
  }
  static std::uint64_t make(const grammar &g, sluice_matcher_options options) {
    detail::failure e;
    sluice_matcher id = 0;
    options.struct_size = sizeof options;
    e.check(sluice_matcher_new(g.get(), &options, &id, &e));
    return id;
  }
};

}  // namespace sluice

#include <sluice/batch.hpp>
#include <sluice/cuda.hpp>
#include <sluice/drafts.hpp>
#include <sluice/ending.hpp>
#include <sluice/events.hpp>
#include <sluice/kernels.hpp>
#include <sluice/saved.hpp>
#include <sluice/stats.hpp>
#include <sluice/stops.hpp>

#endif  // SLUICE_HPP
