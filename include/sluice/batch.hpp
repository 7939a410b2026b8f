// sluice/batch.hpp: all sequences of a step in one call, and masks of draft tokens. Part of sluice.hpp, which includes
// it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_BATCH_HPP
#define SLUICE_BATCH_HPP

#include <algorithm>
#include <stdexcept>

namespace sluice {

namespace detail {

// octets is a list of texts as C takes it.
struct octets {
  std::vector<const std::uint8_t *> bytes;
  std::vector<std::size_t> lengths;
  explicit octets(const std::vector<std::string_view> &texts) {
    for (std::string_view text : texts) {
      bytes.push_back(reinterpret_cast<const std::uint8_t *>(text.data()));
      lengths.push_back(text.size());
    }
  }
};

}  // namespace detail

// batch does one thing for all sequences of a step. Place i has row i of the masks unless rows says otherwise. It holds
// handles only: clear a place before you free its matcher. One thread at a time.
//
// A call throws the first failure of a place; the other places are done all the same, and statuses() has the status of
// each. Calls with a patience, in microseconds, return false if they need more time. Make the same call again before
// any other: it continues.
class batch {
 public:
  explicit batch(std::size_t places)
      : matchers_(places), statuses_(places), constrained_(places), unchanged_(places), done_(places), states_(places) {
    args_.struct_size = sizeof args_;
    args_.flags = SLUICE_BATCH_SKIP_ZERO;
    args_.n = places;
    args_.matchers = matchers_.data();
    args_.statuses = statuses_.data();
    args_.constrained = constrained_.data();
    args_.done = done_.data();
    args_.states = states_.data();
  }
  batch(const batch &) = delete;
  batch &operator=(const batch &) = delete;

  // set puts a matcher into a place; clear empties the place, and calls skip it.
  void set(std::size_t place, const matcher &m) { matchers_.at(place) = m.get(); }
  void clear(std::size_t place) { matchers_.at(place) = 0; }
  // threads is the most threads to use; 0: as many as the process may use.
  void threads(std::uint32_t most) { args_.threads = most; }
  // masks sets the memory of the rows: n_rows of them, row_words apart.
  void masks(std::uint32_t *first, std::size_t n_rows, std::size_t row_words) {
    args_.masks = first;
    args_.n_rows = n_rows;
    args_.row_words = args_.words = row_words;
    keep(keeps_);
  }
  // keep tells fill to leave rows as they are that hold their new mask already; unchanged() then says which. Call it
  // again after you have written to rows yourself.
  void keep(bool rows = true) {
    keeps_ = rows;
    row_keys_.assign(rows ? args_.n_rows : 0, sluice_mask_key{});
    args_.row_keys = row_keys_.empty() ? nullptr : row_keys_.data();
    args_.unchanged = row_keys_.empty() ? nullptr : unchanged_.data();
  }
  // rows sets the row of each place, or the first of several; empty: place i has row i.
  void rows(std::vector<std::int32_t> of) {
    rows_ = std::move(of);
    args_.rows = rows_.empty() ? nullptr : rows_.data();
  }

  // fill writes the set of tokens that may come next for each place.
  void fill() {
    make([this](sluice_error *e) { return sluice_batch_fill(&args_, e); });
  }
  bool try_fill(std::uint32_t patience) {
    return make([&](sluice_error *e) { return sluice_batch_try_fill(&args_, patience, e); });
  }
  // keys returns the key of each place's row.
  std::vector<sluice_mask_key> keys() {
    keys_.assign(args_.n, sluice_mask_key{});
    make([this](sluice_error *e) { return sluice_batch_keys(&args_, keys_.data(), e); });
    return keys_;
  }
  bool try_keys(std::vector<sluice_mask_key> &keys, std::uint32_t patience) {
    keys.resize(args_.n);
    return make([&](sluice_error *e) { return sluice_batch_try_keys(&args_, keys.data(), patience, e); });
  }
  // tokens sets the tokens for accept, validate and fill_chains: one for each place, or counts[i] for place i, one
  // place after the other. They are borrowed until that call is over.
  void tokens(const std::int32_t *ids, const std::uint32_t *counts = nullptr) {
    args_.ids = ids;
    args_.counts = counts;
  }
  // accept moves over tokens, validate only tests them; done() has how many were allowed.
  bool accept(std::uint32_t patience = UINT32_MAX) {
    return make([&](sluice_error *e) { return sluice_batch_accept(&args_, patience, e); });
  }
  bool validate(std::uint32_t patience = UINT32_MAX) {
    return make([&](sluice_error *e) { return sluice_batch_validate(&args_, patience, e); });
  }
  // accept_bytes moves over texts[i], unless its data() is null; done() is 1 for an accepted text.
  bool accept_bytes(const std::vector<std::string_view> &texts, std::uint32_t patience = UINT32_MAX) {
    if (texts.size() != args_.n) {
      throw std::invalid_argument("a text for each place");
    }
    const detail::octets all(texts);
    return make([&](sluice_error *e) {
      return sluice_batch_accept_bytes(&args_, all.bytes.data(), all.lengths.data(), patience, e);
    });
  }
  // set_stop_strings makes the output of place i stop at strings[i]; none remove its earlier ones. stops() then tells,
  // after each step.
  void set_stop_strings(const std::vector<std::vector<std::string_view>> &strings) {
    if (strings.size() != args_.n) {
      throw std::invalid_argument("a list of stop strings for each place");
    }
    std::vector<std::string_view> all;
    std::vector<std::uint32_t> counts;
    for (const auto &of_place : strings) {
      all.insert(all.end(), of_place.begin(), of_place.end());
      counts.push_back(static_cast<std::uint32_t>(of_place.size()));
    }
    const detail::octets given(all);
    stops_.resize(args_.n, sluice_stop{SLUICE_NO_STOP, 0, 0, 0});
    args_.stops = stops_.data();
    sluice_batch own = args_;  // whose counts belong to tokens()
    own.counts = counts.data();
    make([&](sluice_error *e) {
      return sluice_batch_set_stop_strings(&own, given.bytes.data(), given.lengths.data(), e);
    });
  }
  // set_max_tokens limits place i to limits[i] more tokens; 0 removes its limit.
  void set_max_tokens(const std::vector<std::uint32_t> &limits) {
    if (limits.size() != args_.n) {
      throw std::invalid_argument("a limit for each place");
    }
    make([&](sluice_error *e) { return sluice_batch_set_max_tokens(&args_, limits.data(), e); });
  }
  // temperatures sets memory for the temperature of each row, which fill and the calls for drafts write; null: none.
  void temperatures(float *of_rows) { args_.temperatures = of_rows; }
  // rollback takes back steps[i] steps of place i.
  void rollback(const std::uint32_t *steps) {
    args_.counts = steps;
    make([this](sluice_error *e) { return sluice_batch_rollback(&args_, e); });
  }
  // fill_chains and fill_trees write the masks of draft tokens.
  bool fill_chains(std::uint32_t patience = UINT32_MAX) {
    return make([&](sluice_error *e) { return sluice_batch_fill_chains(&args_, patience, e); });
  }
  bool fill_trees(sluice_trees trees, std::uint32_t patience = UINT32_MAX) {
    trees.struct_size = sizeof trees;
    return make([&](sluice_error *e) { return sluice_batch_fill_trees(&args_, &trees, patience, e); });
  }

  // The results of each place: its status, whether its row is constrained, whether it was left as it was, how many tokens or nodes were allowed, and
  // the state of its matcher (SLUICE_STATE_*).
  const std::vector<sluice_status> &statuses() const noexcept { return statuses_; }
  const std::vector<std::uint8_t> &constrained() const noexcept { return constrained_; }
  const std::vector<std::uint8_t> &unchanged() const noexcept { return unchanged_; }
  const std::vector<std::uint32_t> &done() const noexcept { return done_; }
  const std::vector<std::uint8_t> &states() const noexcept { return states_; }
  // stops tells how the output of each place stands to its stop strings; empty before set_stop_strings.
  const std::vector<sluice_stop> &stops() const noexcept { return stops_; }

 private:
  // make makes a call and returns whether it is done. Rejected tokens are an answer.
  template <typename Call>
  bool make(Call call) {
    detail::failure e;
    sluice_status status = call(&e);
    args_.flags = SLUICE_BATCH_SKIP_ZERO;
    // The call's status is the first failure, and other places may be unfinished all the same.
    if (std::find(statuses_.begin(), statuses_.end(), SLUICE_E_UNFINISHED) != statuses_.end()) {
      args_.flags |= SLUICE_BATCH_GO_ON;
    }
    if (status == SLUICE_E_UNFINISHED) {
      return false;
    }
    e.answer(status);
    return true;
  }

  std::vector<sluice_matcher> matchers_;
  std::vector<sluice_status> statuses_;
  std::vector<std::uint8_t> constrained_;
  std::vector<std::uint8_t> unchanged_;
  std::vector<std::uint32_t> done_;
  std::vector<std::uint8_t> states_;
  std::vector<sluice_stop> stops_;
  std::vector<std::int32_t> rows_;
  std::vector<sluice_mask_key> keys_;
  std::vector<sluice_mask_key> row_keys_;
  bool keeps_ = false;
  sluice_batch args_{};
};

}  // namespace sluice

#endif  // SLUICE_BATCH_HPP
