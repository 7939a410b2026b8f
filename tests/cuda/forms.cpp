/* forms.cpp: sluice_cuda_apply against the generic kernel of the CPU: all forms, types, sizes and alignments at random, the
 * bytes around the logits included. Runs on the fake driver in CTest and on a GPU by `make test-cuda`.
 *
 *   forms [cases] [seed]
 */
#include <algorithm>

#include "device.hpp"

namespace {

/* job is one call: everything in the host's memory, as a CPU kernel would get it. */
struct job {
  sluice_apply_args args = zeroed<sluice_apply_args>();
  size_t element = 4;
  size_t lead = 0;             /* logits before row 0 */
  std::vector<uint8_t> logits; /* with what lies around them */
  std::vector<uint32_t> masks; /* with words before the first row */
  size_t mask_lead = 0;
  std::vector<int32_t> logit_index, mask_index, enabled, token_map;
  std::vector<size_t> logit_order, mask_order; /* row-pointer forms: the row behind each pointer, or NO_ROW */
};

const size_t NO_ROW = static_cast<size_t>(-1);

/* The words of a row: everything that a real mask may look like. */
void fill_words(random_numbers &r, uint32_t *row, size_t n) {
  const size_t kind = r.below(8);
  for (size_t i = 0; i < n; i++) {
    const uint32_t random = static_cast<uint32_t>(r.next() >> 32);
    const uint32_t few = ~(random & static_cast<uint32_t>(r.next() >> 32) & static_cast<uint32_t>(r.next() >> 32));
    const uint32_t cases[] = {random,
                              0,
                              ~0u,
                              r.one_in(9) ? random : 0,
                              r.one_in(9) ? random : ~0u,
                              (i / 16) % 2 == 0 ? ~0u : 0,
                              few,
                              r.one_in(40) ? random : few};
    row[i] = cases[kind];
  }
}

size_t some_size(random_numbers &r) {
  const size_t sizes[] = {1,    2,    31,   32,   33,   63,   100,  127,  128, 129,
                          1000, 1023, 1024, 1025, 2047, 3000, 4096, 5001, 9217};
  return r.one_in(3) ? 1 + r.below(6000) : sizes[r.below(sizeof sizes / sizeof sizes[0])];
}

/* indices chooses rows, some of them more than once, out of range or none. */
std::vector<int32_t> indices(random_numbers &r, size_t n, size_t rows) {
  std::vector<int32_t> list(n);
  for (int32_t &i : list) {
    i = static_cast<int32_t>(r.below(rows));
    if (r.one_in(12)) {
      const int32_t wrong[] = {-1, -2, INT32_MIN, INT32_MAX, static_cast<int32_t>(rows)};
      i = wrong[r.below(5)];
    }
  }
  return list;
}

std::vector<size_t> order(random_numbers &r, size_t rows) {
  std::vector<size_t> list(rows);
  for (size_t i = 0; i < rows; i++) {
    list[i] = i;
  }
  for (size_t i = rows; i > 1; i--) {
    std::swap(list[i - 1], list[r.below(i)]);
  }
  for (size_t &i : list) {
    i = r.one_in(10) ? NO_ROW : i;
  }
  return list;
}

/* shape chooses sizes and flags. */
void shape(random_numbers &r, job &j) {
  sluice_apply_args &a = j.args;
  a.dtype = static_cast<uint32_t>(1 + r.below(3));
  j.element = a.dtype == SLUICE_DTYPE_F32 ? 4 : 2;
  a.flags = r.one_in(2) ? SLUICE_APPLY_KEEP_BEYOND : 0;
  a.vocab_size = some_size(r);
  a.n_logit_rows = 1 + r.below(r.one_in(8) ? 60 : 5);
  a.logit_stride = a.vocab_size + (r.one_in(2) ? 0 : r.below(40));
  if (r.one_in(2)) {
    a.logit_stride = (a.logit_stride + 7) / 8 * 8;
  }
  const size_t needed = (a.vocab_size + 31) / 32;
  const size_t words[] = {needed, needed, needed + r.below(5), 1 + r.below(needed)};
  a.mask_words = words[r.below(4)];
  a.covered = r.one_in(3) ? 0 : 1 + r.below(32 * a.mask_words);
  if (a.covered > 33 && r.one_in(2)) { /* about the end of a word */
    a.covered = std::min(a.covered / 32 * 32 + r.below(3) - 1, 32 * a.mask_words);
  }
  a.n_mask_rows = 1 + r.below(5);
  a.mask_stride = r.one_in(6) ? 0 : a.mask_words + r.below(3);
  j.lead = r.one_in(2) ? 8 : r.below(9);
  j.mask_lead = r.below(4);
}

/* fill gives everything its content. */
void fill(random_numbers &r, job &j) {
  sluice_apply_args &a = j.args;
  j.logits.resize((j.lead + a.n_logit_rows * a.logit_stride + 16) * j.element);
  for (uint8_t &b : j.logits) {
    b = static_cast<uint8_t>(r.next() >> 40);
  }
  j.masks.resize(j.mask_lead + (a.mask_stride == 0 ? 1 : a.n_mask_rows) * std::max(a.mask_stride, a.mask_words) + 1);
  for (size_t row = 0; row < (a.mask_stride == 0 ? 1 : a.n_mask_rows); row++) {
    fill_words(r, j.masks.data() + j.mask_lead + row * a.mask_stride, a.mask_words);
  }
  a.n = 1 + r.below(2 * a.n_logit_rows);
  if (a.n > a.n_logit_rows || r.one_in(2)) {
    j.logit_index = indices(r, a.n, a.n_logit_rows);
  }
  if (a.n > a.n_mask_rows || r.one_in(2)) {
    j.mask_index = indices(r, a.n, a.n_mask_rows);
  }
  if (r.one_in(4)) {
    j.enabled.resize(a.n);
    for (int32_t &e : j.enabled) {
      e = static_cast<int32_t>(r.below(4)) - 1;
    }
  }
  if (r.one_in(4)) {
    const bool offsets = r.one_in(2);
    a.flags |= offsets ? SLUICE_APPLY_MAP_OFFSETS : 0;
    j.token_map.resize(a.vocab_size);
    for (size_t i = 0; i < a.vocab_size; i++) {
      const int32_t id = r.one_in(20) ? static_cast<int32_t>(r.next() >> 33) - (1 << 30)
                                      : static_cast<int32_t>(r.below(32 * a.mask_words + 10));
      j.token_map[i] = offsets ? id - static_cast<int32_t>(i) : id;
    }
  }
  if (r.one_in(4)) {
    j.logit_order = order(r, a.n_logit_rows);
  }
  if (r.one_in(4)) {
    j.mask_order = order(r, a.n_mask_rows);
  }
}

/* pointers returns the addresses of rows, given the address of row 0. */
std::vector<uintptr_t> pointers(const std::vector<size_t> &rows, uintptr_t first, size_t step) {
  std::vector<uintptr_t> list;
  for (size_t row : rows) {
    list.push_back(row == NO_ROW ? 0 : first + row * step);
  }
  return list;
}

/* on_host returns the logits after the generic kernel. Pairs that only a device may meet, since their indices are
 * wrong, are switched off for it. */
std::vector<uint8_t> on_host(const job &given) {
  job j = given;
  sluice_apply_args &a = j.args;
  if (j.enabled.empty()) {
    j.enabled.assign(a.n, 1);
  }
  for (size_t i = 0; i < a.n; i++) {
    const auto wrong = [&](std::vector<int32_t> &index, size_t rows) {
      if (!index.empty() && (index[i] < 0 || static_cast<size_t>(index[i]) >= rows)) {
        index[i] = 0;
        j.enabled[i] = 0;
      }
    };
    wrong(j.logit_index, a.n_logit_rows);
    wrong(j.mask_index, a.n_mask_rows);
  }
  const uintptr_t logits = reinterpret_cast<uintptr_t>(j.logits.data()) + j.lead * j.element;
  const uintptr_t masks = reinterpret_cast<uintptr_t>(j.masks.data() + j.mask_lead);
  const std::vector<uintptr_t> logit_rows = pointers(j.logit_order, logits, a.logit_stride * j.element);
  const std::vector<uintptr_t> mask_rows = pointers(j.mask_order, masks, a.mask_stride * sizeof(uint32_t));
  a.logits = j.logit_order.empty() ? reinterpret_cast<void *>(logits) : nullptr;
  a.masks = j.mask_order.empty() ? reinterpret_cast<const uint32_t *>(masks) : nullptr;
  a.logit_rows = j.logit_order.empty() ? nullptr : reinterpret_cast<void *const *>(logit_rows.data());
  a.mask_rows = j.mask_order.empty() ? nullptr : reinterpret_cast<const uint32_t *const *>(mask_rows.data());
  a.logit_index = j.logit_index.empty() ? nullptr : j.logit_index.data();
  a.mask_index = j.mask_index.empty() ? nullptr : j.mask_index.data();
  a.enabled = j.enabled.data();
  a.token_map = j.token_map.empty() ? nullptr : j.token_map.data();
  a.level = SLUICE_CPU_GENERIC;
  CHECK_STATUS(SLUICE_OK, sluice_apply(&a, &error));
  return j.logits;
}

/* on_device returns the logits after the device's kernel; captured: as part of a graph that is launched. */
std::vector<uint8_t> on_device(const job &j, bool captured) {
  const test_driver &d = open_driver();
  sluice_apply_args a = j.args;
  const device_memory<uint8_t> logits(j.logits);
  const device_memory<uint32_t> masks(j.masks);
  const cu_address first = logits.at + j.lead * j.element;
  const cu_address first_mask = masks.at + j.mask_lead * sizeof(uint32_t);
  const device_memory<uintptr_t> logit_rows(pointers(j.logit_order, first, a.logit_stride * j.element));
  const device_memory<uintptr_t> mask_rows(pointers(j.mask_order, first_mask, a.mask_stride * sizeof(uint32_t)));
  const device_memory<int32_t> logit_index(j.logit_index), mask_index(j.mask_index), enabled(j.enabled),
      token_map(j.token_map);
  a.logits = j.logit_order.empty() ? reinterpret_cast<void *>(first) : nullptr;
  a.masks = j.mask_order.empty() ? reinterpret_cast<const uint32_t *>(first_mask) : nullptr;
  a.logit_rows = j.logit_order.empty() ? nullptr : reinterpret_cast<void *const *>(logit_rows.at);
  a.mask_rows = j.mask_order.empty() ? nullptr : reinterpret_cast<const uint32_t *const *>(mask_rows.at);
  a.logit_index = j.logit_index.empty() ? nullptr : logit_index.pointer();
  a.mask_index = j.mask_index.empty() ? nullptr : mask_index.pointer();
  a.enabled = j.enabled.empty() ? nullptr : enabled.pointer();
  a.token_map = j.token_map.empty() ? nullptr : token_map.pointer();
  cu_stream stream = nullptr;
  CU(d.stream_new(&stream, CU_STREAM_NON_BLOCKING));
  if (captured) {
    cu_graph_object *graph = nullptr, *launchable = nullptr;
    CU(d.capture_begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&a, stream, &error));
    CU(d.capture_end(stream, &graph));
    CU(d.graph_new(&launchable, graph, 0));
    CHECK(logits.read() == j.logits); /* a capture does nothing yet */
    CU(d.graph_launch(launchable, stream));
    CU(d.stream_synchronize(stream));
    CU(d.graph_exec_free(launchable));
    CU(d.graph_free(graph));
  } else {
    CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&a, stream, &error));
    CU(d.stream_synchronize(stream));
  }
  CU(d.stream_free(stream));
  return logits.read();
}

void compare(const job &j, uint64_t seed, bool captured) {
  const std::vector<uint8_t> want = on_host(j);
  const std::vector<uint8_t> got = on_device(j, captured);
  if (want == got) {
    return;
  }
  const size_t at =
      static_cast<size_t>(std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin()) / j.element;
  const sluice_apply_args &a = j.args;
  const size_t after = at < j.lead ? 0 : at - j.lead;
  std::fprintf(stderr,
               "seed %llu: logit %zu (row %zu, column %zu of %zu) differs from the generic kernel\n"
               "  dtype %u, flags %u, rows %zu by %zu, masks %zu by %zu of %zu words, covered %zu, pairs %zu\n"
               "  %s%s%s%s%s%s%s\n",
               static_cast<unsigned long long>(seed), at, after / a.logit_stride, after % a.logit_stride, a.vocab_size,
               a.dtype, a.flags, a.n_logit_rows, a.logit_stride, a.n_mask_rows, a.mask_stride, a.mask_words, a.covered,
               a.n, j.logit_index.empty() ? "" : "logit_index ", j.mask_index.empty() ? "" : "mask_index ",
               j.enabled.empty() ? "" : "enabled ", j.token_map.empty() ? "" : "token_map ",
               j.logit_order.empty() ? "" : "logit_rows ", j.mask_order.empty() ? "" : "mask_rows ",
               captured ? "captured" : "");
  std::exit(1);
}

/* More pairs than a grid has rows. */
void many_pairs() {
  random_numbers r(1);
  job j;
  sluice_apply_args &a = j.args;
  a.dtype = SLUICE_DTYPE_BF16;
  j.element = 2;
  a.vocab_size = 33;
  a.logit_stride = 33;
  a.n = a.n_logit_rows = 66000;
  a.mask_words = 2;
  a.n_mask_rows = a.n;
  a.mask_stride = 0;
  j.logits.assign((a.n * a.logit_stride + 16) * j.element, 0x11);
  j.masks = {0x12345678, 1};
  compare(j, 0, false);
}

}  // namespace

int main(int argc, char **argv) {
  const uint64_t cases = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1500;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  open_driver();
  for (uint64_t i = 0; i < cases; i++) {
    random_numbers r(seed + i);
    job j;
    shape(r, j);
    fill(r, j);
    compare(j, seed + i, r.one_in(8));
  }
  many_pairs();
  std::printf("%llu cases from seed %llu equal the generic kernel\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(seed));
  return 0;
}
