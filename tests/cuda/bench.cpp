/* bench.cpp: the cost of the kernels and the pool on a GPU. README.md of cuda/ says how to read it.
 *
 *   bench kernel        time and bandwidth of sluice_cuda_apply, against a copy on the device
 *   bench tune          the same kernels with other shapes of launches, straight from cuda/apply.ptx (argument: its path)
 *   bench pool          a step with rows against a step with ids: bytes to the device, time until the logits are done
 *   bench host          the host's part of a step: rows against keys; needs no GPU
 */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "device.hpp"

namespace {

enum : uint32_t { VOCAB = 128256, WORDS = VOCAB / 32 };

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* The masks of ../shared/peers/apply_bench.py. */
struct kind {
  const char *name;
  double allowed; /* share of bits at random; below 0: runs of 2048 */
};
const kind kinds[] = {{"100 allowed", 100.0 / VOCAB},
                      {"half, in runs", -1},
                      {"half, at random", 0.5},
                      {"all but 1 %", 0.99},
                      {"all", 1.0}};

std::vector<uint32_t> masks_of(const kind &k, size_t rows) {
  random_numbers r(11);
  std::vector<uint32_t> m(rows * WORDS);
  uint32_t run = 0;
  for (size_t i = 0; i < m.size(); i++) {
    if (k.allowed < 0) {
      run = i % 64 == 0 ? (r.one_in(2) ? ~0u : 0) : run;
      m[i] = run;
      continue;
    }
    for (int bit = 0; bit < 32; bit++) {
      const double chance = static_cast<double>(r.next() >> 11) * 0x1p-53;
      m[i] |= static_cast<uint32_t>(chance < k.allowed) << bit;
    }
  }
  return m;
}

/* must_touch is the bytes that no kernel can do without: the mask, and each 32 bytes of logits in which one is denied, since
 * memory is read and written in those. */
double must_touch(const std::vector<uint32_t> &masks, size_t element) {
  const uint32_t per_sector = static_cast<uint32_t>(32 / element);
  size_t sectors = 0;
  for (uint32_t word : masks) {
    for (uint32_t at = 0; at < 32; at += per_sector) {
      const uint32_t bits = per_sector == 32 ? ~0u : ((1u << per_sector) - 1) << at;
      sectors += (word & bits) != bits;
    }
  }
  return static_cast<double>(masks.size() * 4 + sectors * 32);
}

/* timed returns microseconds for one launch by body, on the device's own clock: in a graph of many of them, so that
 * the host's time to launch does not count. */
double timed(const test_driver &d, cu_stream stream, uint32_t launches, const std::function<void(uint32_t)> &body) {
  cu_graph_object *graph = nullptr, *launchable = nullptr;
  cu_event begin = nullptr, end = nullptr;
  CU(d.event_create(&begin, 0));
  CU(d.event_create(&end, 0));
  CU(d.capture_begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  for (uint32_t i = 0; i < launches; i++) {
    body(i);
  }
  CU(d.capture_end(stream, &graph));
  CU(d.graph_new(&launchable, graph, 0));
  std::vector<double> times;
  for (int i = 0; i < 12; i++) {
    CU(d.event_record(begin, stream));
    CU(d.graph_launch(launchable, stream));
    CU(d.event_record(end, stream));
    CU(d.stream_synchronize(stream));
    float ms = 0;
    CU(d.elapsed(&ms, begin, end));
    if (i >= 2) {
      times.push_back(1000.0 * static_cast<double>(ms) / launches);
    }
  }
  CU(d.graph_exec_free(launchable));
  CU(d.graph_free(graph));
  CU(d.event_destroy(begin));
  CU(d.event_destroy(end));
  return median(times);
}

/* buffers is as many copies of the logits as do not fit into any cache together; launches go through them in turn. */
struct buffers {
  size_t bytes;
  std::vector<device_memory<uint8_t>> all;

  explicit buffers(size_t size) : bytes(size) {
    const size_t wanted = size_t(512) << 20;
    const std::vector<uint8_t> zero(size);
    for (size_t held = 0; held < wanted && all.size() < 64; held += size) {
      all.emplace_back(zero);
    }
    if (all.size() < 2) {
      all.emplace_back(zero);
    }
  }
  const device_memory<uint8_t> &turn(uint32_t i) const { return all[i % all.size()]; }
};

sluice_apply_args args_of(uint32_t dtype, size_t rows, const device_memory<uint32_t> &masks) {
  auto a = zeroed<sluice_apply_args>();
  a.dtype = dtype;
  a.n = a.n_logit_rows = a.n_mask_rows = rows;
  a.logit_stride = a.vocab_size = VOCAB;
  a.masks = masks.pointer();
  a.mask_stride = a.mask_words = WORDS;
  return a;
}

uint32_t launches_for(size_t bytes) { return bytes > (size_t(64) << 20) ? 10 : 40; }

const char *name_of(uint32_t dtype) { return dtype == SLUICE_DTYPE_F32 ? "f32" : "bf16"; }

void kernel(const test_driver &d, cu_stream stream) {
  std::printf("| rows | dtype | mask | us | must touch, MB | GB/s | copy on the device, GB/s | share |\n");
  std::printf("|--:|---|---|--:|--:|--:|--:|--:|\n");
  for (uint32_t dtype : {uint32_t(SLUICE_DTYPE_F32), uint32_t(SLUICE_DTYPE_BF16)}) {
    const size_t element = dtype == SLUICE_DTYPE_F32 ? 4 : 2;
    for (size_t rows : {1, 8, 64, 256, 1024}) {
      const buffers logits(rows * VOCAB * element);
      const double copy = timed(d, stream, launches_for(logits.bytes), [&](uint32_t i) {
        CU(d.copy(logits.turn(i).at, logits.turn(i + 1).at, logits.bytes, stream));
      });
      const double copy_rate = 2.0 * static_cast<double>(logits.bytes) / copy / 1000; /* it reads and writes */
      for (const kind &k : kinds) {
        const std::vector<uint32_t> host = masks_of(k, rows);
        const device_memory<uint32_t> masks(host);
        sluice_apply_args a = args_of(dtype, rows, masks);
        const double us = timed(d, stream, launches_for(logits.bytes), [&](uint32_t i) {
          a.logits = logits.turn(i).pointer();
          CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&a, stream, &error));
        });
        const double bytes = must_touch(host, element), rate = bytes / us / 1000;
        std::printf("| %zu | %s | %s | %.2f | %.2f | %.0f | %.0f | %.0f %% |\n", rows, name_of(dtype), k.name, us,
                    bytes / 1e6, rate, copy_rate, 100 * rate / copy_rate);
        std::fflush(stdout);
      }
    }
  }
}

/* tune launches the kernels as launch.c does, with every shape. */
void tune(const test_driver &d, cu_stream stream, const char *ptx_path) {
  std::FILE *file = std::fopen(ptx_path, "rb");
  CHECK(file != nullptr);
  std::string ptx;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, file)) > 0;) {
    ptx.append(part, n);
  }
  std::fclose(file);
  cu_module module = nullptr;
  CU(d.module_load(&module, ptx.c_str()));
  std::printf("| rows | dtype | mask | words of a tile | threads | us |\n|--:|---|---|--:|--:|--:|\n");
  for (uint32_t dtype : {uint32_t(SLUICE_DTYPE_F32), uint32_t(SLUICE_DTYPE_BF16)}) {
    const size_t element = dtype == SLUICE_DTYPE_F32 ? 4 : 2;
    cu_function function = nullptr;
    CU(d.module_function(&function, module, element == 4 ? "apply_32" : "apply_16"));
    for (size_t rows : {1, 8, 64, 256, 1024}) {
      const buffers logits(rows * VOCAB * element);
      for (const kind &k : kinds) {
        const device_memory<uint32_t> masks(masks_of(k, rows));
        for (uint32_t tile_words = CUDA_LEAST_TILE; tile_words <= CUDA_MOST_TILE; tile_words *= 2) {
          for (uint32_t threads : {64u, 128u, 256u, 512u}) {
            cuda_params p;
            std::memset(&p, 0, sizeof p);
            p.masks = masks.pointer();
            p.logit_stride = p.vocab = p.covered = VOCAB;
            p.mask_stride = WORDS;
            p.n_logit_rows = p.n_mask_rows = static_cast<uint32_t>(rows);
            p.negative_infinity = element == 4 ? 0xFF800000u : 0xFF80FF80u;
            p.flags = CUDA_IN_ORDER;
            p.tile_words = tile_words;
            const uint32_t block_words = tile_words * (threads / 32);
            const double us = timed(d, stream, launches_for(logits.bytes), [&](uint32_t i) {
              p.logits = logits.turn(i).pointer();
              void *parameters[] = {&p, nullptr};
              CU(d.launch(function, (WORDS + block_words - 1) / block_words, static_cast<unsigned>(rows), 1, threads, 1,
                          1, 0, stream, parameters, nullptr));
            });
            std::printf("| %zu | %s | %s | %u | %u | %.2f |\n", rows, name_of(dtype), k.name, tile_words, threads, us);
            std::fflush(stdout);
          }
        }
      }
    }
  }
}

/* pinned is memory that a transfer can read. */
struct pinned {
  uint32_t *at = nullptr;
  explicit pinned(size_t words) {
    void *memory = nullptr;
    CU(open_driver().pinned_new(&memory, words * sizeof *at, 0));
    at = static_cast<uint32_t *>(memory);
  }
  ~pinned() { open_driver().pinned_free(at); }
  pinned(const pinned &) = delete;
  pinned &operator=(const pinned &) = delete;
};

/* step_times returns medians of what `step` takes: until it returns, and until the device is done. */
struct step_times {
  double call, done;
};
step_times time_steps(const test_driver &d, cu_stream stream, const std::function<void(uint64_t)> &step) {
  std::vector<double> call, done;
  for (uint64_t i = 0; i < 60; i++) {
    CU(d.stream_synchronize(stream));
    const double begin = now_us();
    step(i);
    const double returned = now_us();
    CU(d.stream_synchronize(stream));
    if (i >= 10) {
      call.push_back(returned - begin);
      done.push_back(now_us() - begin);
    }
  }
  return {median(call), median(done)};
}

/* pool_steps compares, for one batch, a step that sends rows with steps that send ids, of which a share is new. */
void pool_steps(const test_driver &d, cu_stream stream, size_t rows) {
  const std::vector<uint32_t> host = masks_of(kinds[0], rows);
  const device_memory<uint8_t> logits(std::vector<uint8_t>(rows * VOCAB * 2));
  const device_memory<uint32_t> masks(host);
  pinned staging(host.size());
  sluice_apply_args a = args_of(SLUICE_DTYPE_BF16, rows, masks);
  a.logits = logits.pointer();
  const step_times plain = time_steps(d, stream, [&](uint64_t) {
    std::memcpy(staging.at, host.data(), host.size() * sizeof host[0]); /* the rows of this step */
    CU(d.copy_to_device(masks.at, staging.at, host.size() * sizeof host[0], stream));
    CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&a, stream, &error));
  });
  std::printf("| %zu | rows | %.1f | %.1f | %.1f |\n", rows, static_cast<double>(host.size()) * 4 / 1024, plain.call,
              plain.done);
  auto none = a;
  none.masks = nullptr;
  none.n_mask_rows = none.mask_stride = none.mask_words = 0;
  for (double fresh : {0.0, 0.01, 0.1, 1.0}) {
    auto options = zeroed<sluice_cuda_pool_options>();
    options.device = 0;
    options.mask_words = WORDS;
    options.slots = 4096;
    options.staging = 2048;
    sluice_cuda_pool pool = 0;
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_new(&options, &pool, &error));
    std::vector<sluice_mask_key> keys(rows);
    std::vector<int32_t> ids(rows);
    const size_t each = fresh == 0 ? 0 : std::max<size_t>(1, static_cast<size_t>(std::lround(fresh * double(rows))));
    auto before = zeroed<sluice_cuda_pool_facts>(), after = before;
    const step_times pooled = time_steps(d, stream, [&](uint64_t step) {
      if (step == 10) {
        CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_info(pool, &before, &error));
      }
      for (size_t i = 0; i < rows; i++) {
        keys[i] = {i + 1, i < each ? step + 1 : 0};
      }
      auto put = zeroed<sluice_cuda_put>();
      put.pool = pool;
      put.stream = stream;
      put.n = rows;
      put.keys = keys.data();
      put.masks = host.data();
      put.mask_stride = WORDS;
      put.ids = ids.data();
      CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_put(&put, &error));
      auto use = zeroed<sluice_cuda_pool_use>();
      use.pool = pool;
      use.ids = ids.data();
      use.ticket = put.ticket;
      CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_apply(&none, &use, stream, &error));
    });
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_info(pool, &after, &error));
    CHECK(after.refused == before.refused);
    const double bytes = static_cast<double>(after.uploaded_bytes - before.uploaded_bytes) / 50 + double(rows) * 4;
    std::printf("| %zu | ids, %g %% new | %.1f | %.1f | %.1f |\n", rows, 100 * fresh, bytes / 1024, pooled.call,
                pooled.done);
    std::fflush(stdout);
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
  }
}

void pool(const test_driver &d, cu_stream stream) {
  std::printf("| rows | sent as | KiB to the device a step | calls return after, us | logits are done after, us |\n");
  std::printf("|--:|---|--:|--:|--:|\n");
  for (size_t rows : {1, 4, 16, 64, 256, 1024}) {
    pool_steps(d, stream, rows);
  }
}

/* host compares writing the rows of a batch with finding their keys, for sequences in the middle of a JSON document. */
void host(const char *tokenizer) {
  sluice_vocabulary vocabulary = 0;
  sluice_compiler compiler = 0;
  sluice_grammar grammar = 0;
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_from_file(tokenizer, std::strlen(tokenizer), nullptr, &vocabulary, &error));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(vocabulary, nullptr, 0, &compiler, &error));
  CHECK_STATUS(SLUICE_OK,
               sluice_grammar_compile(compiler, SLUICE_KIND_ANY_JSON, nullptr, 0, nullptr, 0, &grammar, &error));
  auto facts = zeroed<sluice_vocabulary_facts>();
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_info(vocabulary, &facts, &error));
  const char text[] = "{\"name\": [\"a string that goes on\", 12.5, {\"key\": tru";
  std::printf("%u ids, one thread\n\n| rows | fill, us | keys, us |\n|--:|--:|--:|\n", facts.padded_size);
  for (size_t rows : {1, 4, 16, 64, 256, 1024}) {
    std::vector<sluice_matcher> matchers(rows);
    for (size_t i = 0; i < rows; i++) {
      CHECK_STATUS(SLUICE_OK, sluice_matcher_new(grammar, nullptr, &matchers[i], &error));
      CHECK_STATUS(SLUICE_OK, sluice_matcher_accept_bytes(matchers[i], reinterpret_cast<const uint8_t *>(text),
                                                          i % (sizeof text - 1), &error));
    }
    std::vector<uint32_t> masks(rows * facts.mask_words);
    std::vector<sluice_mask_key> keys(rows);
    auto batch = zeroed<sluice_batch>();
    batch.threads = 1;
    batch.n = batch.n_rows = rows;
    batch.matchers = matchers.data();
    batch.masks = masks.data();
    batch.row_words = batch.words = facts.mask_words;
    std::vector<double> fill, key;
    for (int i = 0; i < 60; i++) {
      const double begin = now_us();
      CHECK_STATUS(SLUICE_OK, sluice_batch_fill(&batch, &error));
      const double between = now_us();
      CHECK_STATUS(SLUICE_OK, sluice_batch_keys(&batch, keys.data(), &error));
      if (i >= 10) {
        fill.push_back(between - begin);
        key.push_back(now_us() - between);
      }
    }
    std::printf("| %zu | %.1f | %.1f |\n", rows, median(fill), median(key));
    for (sluice_matcher m : matchers) {
      CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
    }
  }
}

}  // namespace

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "host" && argc > 2) {
    host(argv[2]);
    return 0;
  }
  if (what != "kernel" && what != "pool" && (what != "tune" || argc < 3)) {
    std::fprintf(stderr, "bench kernel | pool | tune cuda/apply.ptx | host tokenizer.json\n");
    return 2;
  }
  const test_driver &d = open_driver();
  cu_stream stream = nullptr;
  CU(d.stream_new(&stream, CU_STREAM_NON_BLOCKING));
  if (what == "kernel") {
    kernel(d, stream);
  } else if (what == "tune") {
    tune(d, stream, argv[2]);
  } else {
    pool(d, stream);
  }
  CU(d.stream_free(stream));
  return 0;
}
