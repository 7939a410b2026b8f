/* loader.cpp: finding the driver, its refusals, and the state of each context. On the fake driver alone.
 *
 *   loader            everything that needs a driver that works, and one that fails when asked to
 *   loader missing    there is no libcuda.so.1
 *   loader old        there is one, without the functions that are needed
 *   loader empty      there is one that finds no device
 */
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "device.hpp"

namespace {

/* controls are what only the fake driver has. */
struct controls {
  void (*fail)(const char *, uint32_t, int);
  uint64_t (*calls)(const char *);
};

controls fake_controls() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *fail = library != nullptr ? dlsym(library, "fake_cuda_fail") : nullptr;
  void *calls = library != nullptr ? dlsym(library, "fake_cuda_calls") : nullptr;
  if (fail == nullptr || calls == nullptr) {
    skip("libcuda.so.1 is not the fake driver");
  }
  controls c;
  std::memcpy(&c.fail, &fail, sizeof fail);
  std::memcpy(&c.calls, &calls, sizeof calls);
  return c;
}

enum : uint32_t { VOCAB = 64, WORDS = 2 };

/* small is logits of one row and a mask that denies every second token. */
struct small {
  device_memory<float> logits{std::vector<float>(VOCAB, 1.0f)};
  device_memory<uint32_t> mask{std::vector<uint32_t>(WORDS, 0x55555555)};
  sluice_apply_args args = zeroed<sluice_apply_args>();

  small() {
    args.dtype = SLUICE_DTYPE_F32;
    args.logits = logits.pointer();
    args.masks = mask.pointer();
    args.n = args.n_logit_rows = args.n_mask_rows = 1;
    args.vocab_size = args.logit_stride = VOCAB;
    args.mask_words = args.mask_stride = WORDS;
  }
  bool done() const {
    CU(open_driver().context_wait());
    const std::vector<float> got = logits.read();
    return got[0] == 1 && got[1] < -1e38f && got[62] == 1 && got[63] < -1e38f;
  }
};

/* unavailable makes every call without a driver. */
void unavailable(const char *reason) {
  auto args = zeroed<sluice_apply_args>();
  float logit = 0;
  uint32_t word = 0;
  args.dtype = SLUICE_DTYPE_F32;
  args.logits = &logit;
  args.masks = &word;
  args.n = args.n_logit_rows = args.n_mask_rows = args.vocab_size = args.mask_words = 1;
  auto options = zeroed<sluice_cuda_pool_options>();
  options.mask_words = 1;
  sluice_cuda_pool pool = 0;
  auto put = zeroed<sluice_cuda_put>();
  auto use = zeroed<sluice_cuda_pool_use>();
  auto facts = zeroed<sluice_cuda_pool_facts>();
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_prepare(0, &error));
  CHECK(std::strstr(error.message, reason) != nullptr);
  CHECK(error.code == SLUICE_E_UNAVAILABLE && std::strcmp(sluice_status_name(error.code), "unavailable") == 0);
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_apply(&args, nullptr, &error));
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_new(&options, &pool, &error));
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_put(&put, &error));
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_apply(&args, &use, nullptr, &error));
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_close(1, 1, nullptr, &error));
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_pool_info(1, &facts, &error));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_cuda_pool_free(1));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_apply(nullptr, nullptr, &error)); /* wrong wherever it runs */
}

/* A module that can't be loaded is asked for again; one that was loaded is not, until its context is another one. */
void modules(const controls &c) {
  c.fail("cuModuleLoadData", 0, 222);
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_prepare(0, &error));
  CHECK(std::strstr(error.message, "525") != nullptr);
  c.fail("cuModuleLoadData", 0, 719);
  CHECK_STATUS(SLUICE_E_DEVICE, sluice_cuda_prepare(0, &error));
  CHECK(std::strstr(error.message, "CUDA_ERROR_LAUNCH_FAILED (719)") != nullptr);
  c.fail("cuModuleLoadData", 0, 0);
  c.fail("cuModuleGetFunction", 3, 500);
  CHECK_STATUS(SLUICE_E_DEVICE, sluice_cuda_prepare(0, &error));
  CHECK(c.calls("cuModuleUnload") == 1);
  c.fail("cuModuleGetFunction", 0, 0);
  CHECK_STATUS(SLUICE_E_UNAVAILABLE, sluice_cuda_prepare(7, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_prepare(-2, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_prepare(-1, &error)); /* no current context */

  const uint64_t before = c.calls("cuModuleLoadData");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([] { CHECK(sluice_cuda_prepare(0, nullptr) == SLUICE_OK); });
  }
  for (std::thread &t : threads) {
    t.join();
  }
  const test_driver &d = open_driver();
  small s;
  for (int i = 0; i < 5; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&s.args, nullptr, &error));
  }
  CHECK(s.done() && c.calls("cuModuleLoadData") == before + 1);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_prepare(1, &error));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_prepare(-1, &error));
  CHECK(c.calls("cuModuleLoadData") == before + 2);

  void *reset = dlsym(d.library, "cuDevicePrimaryCtxReset_v2");
  cu_result (*reset_device)(cu_device);
  std::memcpy(&reset_device, &reset, sizeof reset);
  CU(reset_device(0));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&s.args, nullptr, &error));
  CHECK(s.done() && c.calls("cuModuleLoadData") == before + 3);
}

/* Work goes to the device of the stream or the logits, and the thread's own context stays. */
void contexts() {
  const test_driver &d = open_driver();
  cu_context other = nullptr, now = nullptr;
  cu_stream elsewhere = nullptr;
  CU(d.primary_retain(&other, 1));
  CU(d.context_push(other));
  CU(d.stream_new(&elsewhere, CU_STREAM_NON_BLOCKING));
  auto far = std::make_unique<small>();
  CU(d.context_pop(&now));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&far->args, elsewhere, &error)); /* by the stream */
  CU(d.context_current(&now));
  CHECK(now == d.context && far->done());
  small again;
  CU(d.context_push(other));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&again.args, nullptr, &error)); /* by the logits, which are on device 0 */
  CU(d.context_pop(&now));
  CHECK(now == other && again.done());
  std::thread([&] {
    cu_context none = nullptr;
    CHECK(sluice_cuda_apply(&far->args, nullptr, nullptr) == SLUICE_OK);
    CU(d.context_current(&none));
    CHECK(none == nullptr);
  }).join();

  auto options = zeroed<sluice_cuda_pool_options>();
  options.device = 1;
  options.mask_words = WORDS;
  sluice_cuda_pool pool = 0;
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_new(&options, &pool, &error));
  auto facts = zeroed<sluice_cuda_pool_facts>();
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_info(pool, &facts, &error));
  CHECK(facts.slots == 2048 && facts.staging == 256); /* 1/64 of 16 MiB in slots of 128 bytes */
  const int32_t id = SLUICE_ID_NONE;
  auto use = zeroed<sluice_cuda_pool_use>();
  use.pool = pool;
  use.ids = &id;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_pool_apply(&again.args, &use, nullptr, &error));
  CHECK(std::strstr(error.message, "another device") != nullptr);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));

  small host;
  std::vector<float> on_host(VOCAB);
  host.args.logits = on_host.data();
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_apply(&host.args, nullptr, &error));
  CHECK(std::strstr(error.message, "does not know the memory") != nullptr);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_cuda_apply(&host.args, elsewhere, &error));
  far.reset();
}

sluice_status put_one(sluice_cuda_pool pool, uint64_t key, bool with_row, uint64_t *ticket, int32_t *id,
                      cu_stream stream) {
  const uint32_t row[WORDS] = {0x55555555, 0x55555555};
  auto put = zeroed<sluice_cuda_put>();
  put.pool = pool;
  put.stream = stream;
  put.n = 1;
  const sluice_mask_key name = {key, 0};
  put.keys = &name;
  put.masks = with_row ? row : nullptr;
  put.mask_stride = WORDS;
  put.ids = id;
  const sluice_status status = sluice_cuda_pool_put(&put, &error);
  *ticket = put.ticket;
  return status;
}

/* A call that the driver refuses leaves a pool as it was. */
void failures(const controls &c) {
  auto options = zeroed<sluice_cuda_pool_options>();
  options.device = 0;
  options.mask_words = WORDS;
  options.slots = 2;
  sluice_cuda_pool pool = 0;
  const struct {
    const char *symbol;
    uint32_t after;
  } steps[] = {{"cuMemAlloc_v2", 0}, {"cuMemHostAlloc", 0}, {"cuEventCreate", 0}, {"cuEventCreate", 30}};
  for (const auto &step : steps) {
    c.fail(step.symbol, step.after, 2);
    const uint64_t made = c.calls("cuMemAlloc_v2"), freed = c.calls("cuMemFree_v2");
    CHECK_STATUS(SLUICE_E_DEVICE, sluice_cuda_pool_new(&options, &pool, &error));
    c.fail(step.symbol, 0, 0);
    CHECK(c.calls("cuMemAlloc_v2") - made == c.calls("cuMemFree_v2") - freed + (step.symbol == steps[0].symbol));
  }
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_new(&options, &pool, &error));

  uint64_t ticket = 0;
  int32_t id = 0;
  const char *const on_put[] = {"cuMemcpyHtoDAsync_v2", "cuEventRecord", "cuStreamWaitEvent", "cuStreamIsCapturing"};
  for (const char *symbol : on_put) {
    c.fail(symbol, 0, 719);
    CHECK_STATUS(SLUICE_E_DEVICE, put_one(pool, 1, true, &ticket, &id, nullptr));
    c.fail(symbol, 0, 0);
    CHECK_STATUS(SLUICE_OK, put_one(pool, 1, false, &ticket, &id, nullptr));
    CHECK(id == SLUICE_ID_ROW); /* what did not arrive is not found */
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, ticket, nullptr, &error));
  }
  CHECK_STATUS(SLUICE_OK, put_one(pool, 1, true, &ticket, &id, nullptr));
  small s;
  auto use = zeroed<sluice_cuda_pool_use>();
  use.pool = pool;
  use.ids = &id;
  use.ticket = ticket;
  const char *const on_apply[] = {"cuLaunchKernel", "cuStreamWaitEvent", "cuEventRecord", "cuPointerGetAttribute"};
  for (const char *symbol : on_apply) {
    c.fail(symbol, 0, 719);
    const sluice_status status = sluice_cuda_pool_apply(&s.args, &use, nullptr, &error);
    CHECK(status == SLUICE_E_DEVICE || status == SLUICE_E_ARGUMENT);
    c.fail(symbol, 0, 0);
  }
  auto facts = zeroed<sluice_cuda_pool_facts>();
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_info(pool, &facts, &error));
  CHECK(facts.open_tickets == 1);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_apply(&s.args, &use, nullptr, &error));
  CHECK(s.done());

  std::vector<sluice_cuda_pool> pools(1, pool);
  sluice_status status = SLUICE_OK;
  while ((status = sluice_cuda_pool_new(&options, &pool, &error)) == SLUICE_OK) {
    pools.push_back(pool);
  }
  CHECK_STATUS(SLUICE_E_LIMIT, status);
  CHECK(pools.size() == 64);
  for (sluice_cuda_pool p : pools) {
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(p));
  }
  CHECK(c.calls("cuMemHostAlloc") - 1 == c.calls("cuMemFreeHost")); /* one was refused */
}

/* While one stream is captured, everything else goes on. */
void captures(const controls &c) {
  const test_driver &d = open_driver();
  cu_stream captured = nullptr, beside = nullptr;
  CU(d.stream_new(&captured, CU_STREAM_NON_BLOCKING));
  CU(d.stream_new(&beside, CU_STREAM_NON_BLOCKING));
  small s;
  auto options = zeroed<sluice_cuda_pool_options>();
  options.device = 0;
  options.mask_words = WORDS;
  options.slots = 2;
  sluice_cuda_pool pool = 0;
  cu_context fresh = nullptr;
  void *create = dlsym(d.library, "cuCtxCreate_v2");
  cu_result (*create_context)(cu_context *, unsigned, cu_device);
  std::memcpy(&create_context, &create, sizeof create);
  cu_graph_object *graph = nullptr;

  CU(d.capture_begin(captured, CU_STREAM_CAPTURE_MODE_GLOBAL));
  const uint64_t loads = c.calls("cuModuleLoadData");
  CU(create_context(&fresh, 0, 0));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_prepare(-1, &error));
  CU(d.context_pop(&fresh));
  CHECK(c.calls("cuModuleLoadData") == loads + 1);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_new(&options, &pool, &error));
  uint64_t ticket = 0;
  int32_t id = 0;
  for (int i = 0; i < 2; i++) { /* the second one asks whether the first has arrived */
    CHECK_STATUS(SLUICE_OK, put_one(pool, 1 + static_cast<uint64_t>(i), true, &ticket, &id, beside));
    CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_close(pool, ticket, beside, &error));
  }
  CHECK_STATUS(SLUICE_E_ARGUMENT, put_one(pool, 3, true, &ticket, &id, captured));
  CHECK(std::strstr(error.message, "before the capture") != nullptr);
  CHECK_STATUS(SLUICE_OK, sluice_cuda_apply(&s.args, captured, &error));
  CU(d.capture_end(captured, &graph));
  CU(d.context_wait());
  CHECK(!s.done());
  CU(d.graph_free(graph));
  CHECK_STATUS(SLUICE_OK, sluice_cuda_pool_free(pool));
}

/* fork: a child may be the first to use CUDA, and may not be the second. */
int status_in_child() {
  const pid_t child = fork();
  if (child == 0) {
    _exit(sluice_cuda_prepare(0, nullptr));
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "missing") {
    if (dlopen("libcuda.so.1", RTLD_NOW) != nullptr) {
      skip("this machine has a driver");
    }
    unavailable("no CUDA driver");
  } else if (mode == "old") {
    unavailable("too old");
  } else if (mode == "empty") {
    fake_controls().fail("cuInit", 0, 100);
    unavailable("CUDA_ERROR_NO_DEVICE");
  } else {
    const controls c = fake_controls();
    CHECK(status_in_child() == SLUICE_OK);
    modules(c);
    contexts();
    failures(c);
    captures(c);
    CHECK(status_in_child() == SLUICE_E_FORKED);
  }
  return 0;
}
