/* pool.cpp: masks that live on the device: each mask reaches its logits, with any evictions between, on any streams. Runs
 * on the fake driver in CTest, with random unrequested orders, and on a GPU by `make test-cuda`.
 *
 *   pool [steps] [seed]
 */
#include <algorithm>
#include <map>
#include <memory>
#include <thread>

#include "device.hpp"

namespace {

enum : uint32_t { VOCAB = 1100, WORDS = (VOCAB + 31) / 32 };

sluice_cuda_pool new_pool(uint32_t slots, uint32_t staging) {
  auto options = zeroed<sluice_cuda_pool_options>();
  options.device = 0;
  options.mask_words = WORDS;
  options.slots = slots;
  options.staging = staging;
  sluice_cuda_pool pool = 0;
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_new(&options, &pool, &error));
  return pool;
}

sluice_cuda_pool_facts facts_of(sluice_cuda_pool pool) {
  auto facts = zeroed<sluice_cuda_pool_facts>();
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_info(pool, &facts, &error));
  return facts;
}

/* mask_of is the mask that a key stands for. */
std::vector<uint32_t> mask_of(uint64_t key) {
  random_numbers r(key + 77);
  std::vector<uint32_t> mask(WORDS);
  for (uint32_t &w : mask) {
    w = static_cast<uint32_t>(r.next() >> 32);
  }
  return mask;
}

/* batch is the masks of one step. */
struct batch {
  std::vector<uint64_t> keys;
  std::vector<sluice_mask_key> names;
  std::vector<uint32_t> rows;
  std::vector<int32_t> ids;
  sluice_cuda_put put = zeroed<sluice_cuda_put>();

  explicit batch(std::vector<uint64_t> of) : keys(std::move(of)), ids(keys.size(), -7) {
    for (uint64_t key : keys) {
      names.push_back({key % 4, key}); /* neither part alone is a name */
      const std::vector<uint32_t> mask = mask_of(key);
      rows.insert(rows.end(), mask.begin(), mask.end());
    }
  }
  /* into puts the masks; named: with their keys, else by their content. */
  sluice_status into(sluice_cuda_pool pool, cu_stream stream, bool named = true, bool with_rows = true) {
    put.pool = pool;
    put.stream = stream;
    put.n = keys.size();
    put.keys = named ? names.data() : nullptr;
    put.masks = with_rows ? rows.data() : nullptr;
    put.mask_stride = WORDS;
    put.ids = ids.data();
    return sluice_cuda_pool_put(&put, &error);
  }
};

/* target is the logits of a batch, and the right result. */
struct target {
  std::vector<float> want;
  std::unique_ptr<device_memory<float>> logits;
  std::unique_ptr<device_memory<uint32_t>> rows; /* the batch's rows, for ids that say so */
  std::unique_ptr<device_memory<int32_t>> ids;
};

/* prepared makes logits and their rows for a batch. Pairs whose id is SLUICE_ID_NONE stay as they are. */
target prepared(const batch &b, bool rows) {
  target t;
  const size_t n = b.keys.size();
  std::vector<float> logits(n * VOCAB);
  for (size_t i = 0; i < logits.size(); i++) {
    logits[i] = static_cast<float>(i % 977);
  }
  t.want = logits;
  auto a = zeroed<sluice_apply_args>();
  std::vector<int32_t> enabled;
  for (int32_t id : b.ids) {
    enabled.push_back(id != SLUICE_ID_NONE && (rows || id != SLUICE_ID_ROW));
  }
  a.dtype = SLUICE_DTYPE_F32;
  a.logits = t.want.data();
  a.masks = b.rows.data();
  a.enabled = enabled.data();
  a.n = a.n_logit_rows = a.n_mask_rows = n;
  a.logit_stride = a.vocab_size = VOCAB;
  a.mask_stride = a.mask_words = WORDS;
  a.level = SLUICE_CPU_GENERIC;
  CHECK_STATUS(SLUICE_OK, sluice_apply(&a, &error));
  t.logits = std::make_unique<device_memory<float>>(logits);
  if (rows) {
    t.rows = std::make_unique<device_memory<uint32_t>>(b.rows);
  }
  return t;
}

/* args_of is the call that lets a batch meet them. */
sluice_apply_args args_of(const batch &b, const target &t) {
  auto a = zeroed<sluice_apply_args>();
  a.dtype = SLUICE_DTYPE_F32;
  a.logits = t.logits->pointer();
  a.n = a.n_logit_rows = b.keys.size();
  a.logit_stride = a.vocab_size = VOCAB;
  if (t.rows != nullptr) {
    a.masks = t.rows->pointer();
    a.n_mask_rows = a.n;
    a.mask_stride = a.mask_words = WORDS;
  }
  return a;
}

sluice_status meet(const batch &b, const target &t, uint64_t ticket, cu_stream stream) {
  const sluice_apply_args a = args_of(b, t);
  auto use = zeroed<sluice_cuda_pool_use>();
  use.pool = b.put.pool;
  use.ids = t.ids != nullptr ? t.ids->pointer() : b.ids.data();
  use.ids_on_device = t.ids != nullptr;
  use.ticket = ticket;
  return sluice_cuda_pool_apply(&a, &use, stream, &error);
}

void check_target(const target &t, const char *what) {
  const std::vector<float> got = t.logits->read();
  const auto differs = std::mismatch(t.want.begin(), t.want.end(), got.begin());
  if (differs.first != t.want.end()) {
    const size_t at = static_cast<size_t>(differs.first - t.want.begin());
    std::fprintf(stderr, "%s: row %zu, logit %zu is %g and not %g\n", what, at / VOCAB, at % VOCAB,
                 static_cast<double>(*differs.second), static_cast<double>(*differs.first));
    std::exit(1);
  }
}

/* Hits, misses, ids that say rows or nothing, masks known by content. */
void basics(const test_driver &d, cu_stream stream) {
  const sluice_cuda_pool pool = new_pool(4, 4);
  batch ask({1, 2, 3});
  CHECK_STATUS(SLUICE_OK, ask.into(pool, stream, true, false));
  CHECK(ask.ids == std::vector<int32_t>({SLUICE_ID_ROW, SLUICE_ID_ROW, SLUICE_ID_ROW}));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, ask.put.ticket, stream, &error));

  batch b({1, 2, 1, 3});
  CHECK_STATUS(SLUICE_OK, b.into(pool, stream));
  CHECK(b.ids[0] == b.ids[2] && b.ids[0] != b.ids[1] && b.ids[3] >= 0);
  target t = prepared(b, false);
  CHECK_STATUS(SLUICE_OK, meet(b, t, b.put.ticket, stream));
  CHECK_STATUS(SLUICE_E_ARGUMENT, meet(b, t, b.put.ticket, stream)); /* the ticket is closed */
  CHECK(std::strstr(error.message, "not open") != nullptr);
  CU(d.context_wait());
  check_target(t, "basics");

  batch content({2, 9});
  CHECK_STATUS(SLUICE_OK, content.into(pool, stream, false));
  const int32_t by_content = content.ids[0];
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, content.put.ticket, stream, &error));
  content.put.ticket = 0;
  CHECK_STATUS(SLUICE_OK, content.into(pool, stream, false));
  CHECK(content.ids[0] == by_content);
  content.ids[1] = SLUICE_ID_NONE;
  target some = prepared(content, true);
  CHECK_STATUS(SLUICE_OK, meet(content, some, content.put.ticket, stream));
  CU(d.context_wait());
  check_target(some, "content and none");

  const sluice_cuda_pool_facts facts = facts_of(pool);
  CHECK(facts.slots == 4 && facts.resident == 4 && facts.open_tickets == 0 && facts.mask_words == WORDS);
  CHECK(facts.uploads == 5 && facts.hits == 3 && facts.evictions == 1 && facts.refused == 0);
  CHECK(facts.uploaded_bytes >= 5 * WORDS * 4 && facts.device_bytes >= 4 * WORDS * 4);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_cuda_pool_free(pool));
}

/* Masks of open tickets stay; a mask without room becomes a row; extended tickets protect too. */
void tickets(const test_driver &d, cu_stream stream) {
  const sluice_cuda_pool pool = new_pool(3, 8);
  batch first({1, 2}), second({3, 4}), third({1, 2, 3});
  CHECK_STATUS(SLUICE_OK, first.into(pool, stream));
  CHECK_STATUS(SLUICE_OK, second.into(pool, stream));
  CHECK(second.ids[0] >= 0 && second.ids[1] == SLUICE_ID_ROW); /* all three slots are named */
  CHECK(facts_of(pool).refused == 1);
  target rows = prepared(second, true);
  CHECK_STATUS(SLUICE_OK, meet(second, rows, second.put.ticket, stream));
  CU(d.context_wait());
  check_target(rows, "a row that found no slot");

  batch more({5});
  CHECK_STATUS(SLUICE_OK, more.into(pool, stream)); /* takes the place of 3, which nobody holds any more */
  CHECK(more.ids[0] >= 0);
  first.put.ticket = first.put.ticket + 100;
  CHECK_STATUS(SLUICE_E_ARGUMENT, first.into(pool, stream));
  first.put.ticket -= 100;
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, more.put.ticket, stream, &error));
  batch extended({6});
  extended.put.ticket = first.put.ticket;
  CHECK_STATUS(SLUICE_OK, extended.into(pool, stream)); /* takes the place of 5 */
  CHECK(extended.ids[0] == more.ids[0] && extended.put.ticket == first.put.ticket);
  batch full({7});
  CHECK_STATUS(SLUICE_OK, full.into(pool, stream));
  CHECK(full.ids[0] == SLUICE_ID_ROW);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, full.put.ticket, stream, &error));
  target t = prepared(first, false);
  CHECK_STATUS(SLUICE_OK, meet(first, t, first.put.ticket, stream));
  CU(d.context_wait());
  check_target(t, "held by an open ticket");

  std::vector<batch> open;
  for (int i = 0; i < 64; i++) {
    open.emplace_back(std::vector<uint64_t>{1});
    CHECK_STATUS(SLUICE_OK, open.back().into(pool, stream));
  }
  batch one_more({1});
  CHECK_STATUS(SLUICE_E_LIMIT, one_more.into(pool, stream));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
}

/* Masks that came together are replaced in the order of their slots, so that one copy serves those that come instead. */
void neighbours(cu_stream stream) {
  const sluice_cuda_pool pool = new_pool(4, 12);
  for (uint64_t step = 0; step < 3; step++) {
    batch b({4 * step + 1, 4 * step + 2, 4 * step + 3, 4 * step + 4});
    CHECK_STATUS(SLUICE_OK, b.into(pool, stream));
    CHECK(b.ids == std::vector<int32_t>({0, 1, 2, 3}));
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, b.put.ticket, stream, &error));
  }
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
}

/* More ids than travel with one launch; ids on the device, as part of a graph that is launched with others. */
void many_and_graphs(const test_driver &d, cu_stream stream) {
  const sluice_cuda_pool pool = new_pool(8, 8);
  std::vector<uint64_t> keys;
  for (uint64_t i = 0; i < 2000; i++) {
    keys.push_back(1 + i * i % 7);
  }
  batch b(keys);
  CHECK_STATUS(SLUICE_OK, b.into(pool, stream));
  b.ids[1234] = SLUICE_ID_NONE;
  target t = prepared(b, false);
  CHECK_STATUS(SLUICE_OK, meet(b, t, b.put.ticket, stream));
  CU(d.context_wait());
  check_target(t, "2000 pairs");

  batch now({1, 2, 3}), later({5, 3, 6});
  CHECK_STATUS(SLUICE_OK, now.into(pool, stream));
  CHECK_STATUS(SLUICE_OK, later.into(pool, stream));
  target graphed = prepared(now, false);
  graphed.ids = std::make_unique<device_memory<int32_t>>(now.ids);
  cu_graph_object *graph = nullptr, *launchable = nullptr;
  CU(d.capture_begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_STATUS(SLUICE_E_ARGUMENT,
               meet(now, graphed, now.put.ticket, stream)); /* a ticket closes once, a graph runs often */
  CHECK_STATUS(SLUICE_OK, meet(now, graphed, 0, stream));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_close(pool, now.put.ticket, stream, &error));
  CU(d.capture_end(stream, &graph));
  CU(d.graph_new(&launchable, graph, 0));
  CU(d.graph_launch(launchable, stream));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, now.put.ticket, stream, &error));
  CU(d.stream_synchronize(stream));
  check_target(graphed, "a graph");
  const target again = prepared(later, false);
  graphed.want = again.want;
  graphed.logits->write(again.logits->read());
  std::vector<int32_t> ids = later.ids;
  graphed.ids->write(ids);
  CU(d.graph_launch(launchable, stream));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, later.put.ticket, stream, &error));
  CU(d.stream_synchronize(stream));
  check_target(graphed, "the same graph with other ids");
  CU(d.graph_exec_free(launchable));
  CU(d.graph_free(graph));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
}

/* Wrong calls. */
void refusals(const test_driver &d, cu_stream stream) {
  const sluice_cuda_pool pool = new_pool(2, 2);
  batch b({1, 2});
  CHECK_STATUS(SLUICE_E_HANDLE, b.into(0, stream));
  CHECK_STATUS(SLUICE_E_HANDLE, b.into(pool + 1, stream));
  CHECK_STATUS(SLUICE_E_ARGUMENT, b.into(pool, stream, false, false));
  CHECK_STATUS(SLUICE_OK, b.into(pool, stream));
  target t = prepared(b, false);
  const std::vector<int32_t> ids = b.ids;
  b.ids[1] = 2;
  CHECK_STATUS(SLUICE_E_ARGUMENT, meet(b, t, b.put.ticket, stream));
  b.ids[1] = -3;
  CHECK_STATUS(SLUICE_E_ARGUMENT, meet(b, t, b.put.ticket, stream));
  b.ids = ids;
  sluice_apply_args a = args_of(b, t);
  auto use = zeroed<sluice_cuda_pool_use>();
  use.pool = pool;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(&a, &use, stream, &error)); /* no ids */
  use.ids = b.ids.data();
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(nullptr, &use, stream, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(&a, nullptr, stream, &error));
  a.threads = 2;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(&a, &use, stream, &error));
  a.threads = 0;
  a.masks = reinterpret_cast<const uint32_t *>(t.logits->at);
  a.n_mask_rows = a.n;
  a.mask_words = a.mask_stride = WORDS + 1;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(&a, &use, stream, &error)); /* not the pool's width */
  CU(d.context_wait());
  CHECK(t.logits->read()[0] == 0); /* nothing of all this has met the logits */

  auto options = zeroed<sluice_cuda_pool_options>();
  sluice_cuda_pool none = 0;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_new(&options, &none, &error)); /* no width */
  options.mask_words = WORDS;
  options.device = 99;
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_new(&options, &none, &error));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
}

/* steps is random steps on several streams, with fewer slots and less staging than the masks in use, and targets that are
 * looked at much later. */
void steps(const test_driver &d, sluice_cuda_pool pool, uint64_t count, uint64_t seed) {
  random_numbers r(seed);
  CU(d.context_set(d.context));
  cu_stream streams[3];
  for (cu_stream &s : streams) {
    CU(d.stream_new(&s, CU_STREAM_NON_BLOCKING));
  }
  std::vector<batch> open;
  std::vector<target> waiting;
  for (uint64_t step = 0; step < count; step++) {
    if (open.size() < 3 && !r.one_in(3)) {
      std::vector<uint64_t> keys;
      for (size_t i = 1 + r.below(4); i > 0; i--) {
        keys.push_back(1 + r.below(r.one_in(2) ? 5 : 20));
      }
      open.emplace_back(keys);
      CHECK_STATUS(SLUICE_OK, open.back().into(pool, streams[r.below(3)], !r.one_in(4)));
    } else if (!open.empty()) {
      const size_t which = r.below(open.size());
      const batch b = std::move(open[which]);
      open.erase(open.begin() + static_cast<ptrdiff_t>(which));
      if (r.one_in(8)) {
        CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, b.put.ticket, streams[r.below(3)], &error));
        continue;
      }
      waiting.push_back(prepared(b, true));
      CHECK_STATUS(SLUICE_OK, meet(b, waiting.back(), b.put.ticket, streams[r.below(3)]));
    }
    if (waiting.size() >= 24 || step + 1 == count) {
      CU(d.context_wait());
      for (const target &t : waiting) {
        check_target(t, "random steps");
      }
      waiting.clear();
    }
  }
  for (const batch &b : open) {
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, b.put.ticket, streams[0], &error));
  }
  CU(d.context_wait());
  for (cu_stream s : streams) {
    CU(d.stream_free(s));
  }
}

/* many_steps lets one thread have a pool, then four at once. */
void many_steps(const test_driver &d, uint64_t count, uint64_t seed) {
  for (uint64_t threads : {1, 4}) {
    const sluice_cuda_pool pool = new_pool(7, 5);
    std::vector<std::thread> running;
    for (uint64_t i = 1; i < threads; i++) {
      running.emplace_back([&d, pool, count, seed, i] { steps(d, pool, count / 4, seed + i); });
    }
    steps(d, pool, threads == 1 ? count : count / 4, seed);
    for (std::thread &t : running) {
      t.join();
    }
    const sluice_cuda_pool_facts facts = facts_of(pool);
    CHECK(facts.hits > 0 && facts.evictions > 0 && facts.refused > 0 && facts.open_tickets == 0);
    std::printf("%llu threads: %llu hits, %llu uploads, %llu evictions, %llu refused\n",
                static_cast<unsigned long long>(threads), static_cast<unsigned long long>(facts.hits),
                static_cast<unsigned long long>(facts.uploads), static_cast<unsigned long long>(facts.evictions),
                static_cast<unsigned long long>(facts.refused));
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
  }
}

}  // namespace

int main(int argc, char **argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const test_driver &d = open_driver();
  cu_stream stream = nullptr;
  CU(d.stream_new(&stream, CU_STREAM_NON_BLOCKING));
  basics(d, stream);
  tickets(d, stream);
  neighbours(stream);
  many_and_graphs(d, stream);
  refusals(d, stream);
  CU(d.stream_free(stream));
  many_steps(d, count, seed);
  return 0;
}
