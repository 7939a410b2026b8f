/* fake_streams.cpp: what happens on the streams of the fake driver: copies, launches, events, graphs. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "emulate.hpp"
#include "fake_state.hpp"

namespace {

bool always() { return true; }

/* runnable lists the streams whose next thing may be done. */
std::vector<fake_stream *> runnable() {
  std::vector<fake_stream *> list;
  const auto consider = [&](fake_stream *s) {
    if (!s->queue.empty() && s->queue.front().ready()) {
      list.push_back(s);
    }
  };
  for (auto &s : state().streams) {
    consider(s.get());
  }
  for (auto &c : state().contexts) {
    consider(&c->default_stream);
  }
  return list;
}

/* step does one thing of a stream that chance chooses. */
bool step() {
  const std::vector<fake_stream *> list = runnable();
  if (list.empty()) {
    return false;
  }
  uint64_t &r = state().random;
  r ^= r << 13;
  r ^= r >> 7;
  r ^= r << 17;
  fake_stream *s = list[r % list.size()];
  const work next = s->queue.front();
  s->queue.pop_front();
  next.now();
  return true;
}

/* until works until something is so. It ends the program if that can't come. */
template <class F>
void until(F so) {
  while (!so()) {
    if (!step()) {
      std::fprintf(stderr, "fake_cuda: the streams wait for each other\n");
      std::abort();
    }
  }
}

/* stream_of returns the object behind a handle; the default ones belong to the current context. */
fake_stream *stream_of(cu_stream handle) {
  if (reinterpret_cast<uintptr_t>(handle) <= CU_LAST_NAMED_STREAM) {
    return current() != nullptr ? &current()->default_stream : nullptr;
  }
  for (auto &s : state().streams) {
    if (s.get() == handle) {
      return s.get();
    }
  }
  return nullptr;
}

/* put adds work to a stream, or to the graph that it is captured into. */
void put(fake_stream *s, std::function<bool()> ready, std::function<void()> now) {
  const work w{std::move(ready), std::move(now)};
  if (s->capture != nullptr) {
    s->capture->steps.push_back(w);
  } else {
    s->queue.push_back(w);
  }
}

bool is_pinned(const void *at, size_t size) { return range_of(reinterpret_cast<uintptr_t>(at), size) != nullptr; }

}  // namespace

void drain() {
  while (step()) {
  }
}

uint64_t fake_cuda_step(uint64_t n) {
  std::lock_guard<std::recursive_mutex> hold(state().lock);
  uint64_t done = 0;
  while (done < n && step()) {
    done++;
  }
  return done;
}

extern "C" {

/* ------------------------------------------------------------------------------------------------------ streams ---- */

cu_result cuStreamCreate(cu_stream *stream, unsigned) {
  ENTER(cuStreamCreate);
  state().streams.push_back(std::make_unique<fake_stream>());
  state().streams.back()->context = current();
  *stream = state().streams.back().get();
  return CU_SUCCESS;
}

cu_result cuStreamDestroy_v2(cu_stream stream) {
  ENTER(cuStreamDestroy_v2);
  fake_stream *s = stream_of(stream);
  until([&] { return s->queue.empty(); });
  s->context = nullptr;
  return CU_SUCCESS;
}

cu_result cuStreamGetCtx(cu_stream stream, cu_context *context) {
  ENTER(cuStreamGetCtx);
  const fake_stream *s = stream_of(stream);
  if (s == nullptr || s->context == nullptr) {
    return CU_ERROR_INVALID_HANDLE;
  }
  *context = s->context;
  return CU_SUCCESS;
}

cu_result cuStreamSynchronize(cu_stream stream) {
  ENTER(cuStreamSynchronize);
  fake_stream *s = stream_of(stream);
  until([&] { return s->queue.empty(); });
  return CU_SUCCESS;
}

cu_result cuCtxSynchronize() {
  ENTER(cuCtxSynchronize);
  drain();
  return CU_SUCCESS;
}

cu_result cuStreamIsCapturing(cu_stream stream, int *status) {
  ENTER(cuStreamIsCapturing);
  const fake_stream *s = stream_of(stream);
  if (s == nullptr) {
    return CU_ERROR_INVALID_HANDLE;
  }
  *status = s->capture != nullptr ? 1 : CU_STREAM_CAPTURE_STATUS_NONE;
  return CU_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------------- events ---- */

cu_result cuEventCreate(cu_event *event, unsigned) {
  ENTER(cuEventCreate);
  state().events.push_back(std::make_unique<cu_event_object>());
  *event = state().events.back().get();
  return CU_SUCCESS;
}

cu_result cuEventDestroy_v2(cu_event) {
  ENTER(cuEventDestroy_v2);
  return CU_SUCCESS;
}

cu_result cuEventRecord(cu_event event, cu_stream stream) {
  ENTER(cuEventRecord);
  fake_stream *s = stream_of(stream);
  if (s == nullptr) {
    return CU_ERROR_INVALID_HANDLE;
  }
  event->captured = s->capture != nullptr;
  const uint64_t number = ++event->recorded;
  put(s, always, [event, number] {
    if (event->happened < number) {
      event->happened = number;
    }
  });
  return CU_SUCCESS;
}

cu_result cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned) {
  ENTER(cuStreamWaitEvent);
  fake_stream *s = stream_of(stream);
  if (s == nullptr) {
    return CU_ERROR_INVALID_HANDLE;
  }
  if (event->recorded > 0 && event->captured != (s->capture != nullptr)) {
    return CU_ERROR_CAPTURE_ISOLATION;
  }
  const uint64_t number = event->recorded;
  put(s, [event, number] { return event->happened >= number; }, [] {});
  return CU_SUCCESS;
}

cu_result cuEventQuery(cu_event event) {
  ENTER(cuEventQuery);
  if (forbidden()) {
    return CU_ERROR_CAPTURE_UNSUPPORTED;
  }
  step();
  return event->happened >= event->recorded ? CU_SUCCESS : CU_ERROR_NOT_READY;
}

cu_result cuEventSynchronize(cu_event event) {
  ENTER(cuEventSynchronize);
  until([&] { return event->happened >= event->recorded; });
  return CU_SUCCESS;
}

cu_result cuEventElapsedTime(float *milliseconds, cu_event, cu_event) {
  ENTER(cuEventElapsedTime);
  *milliseconds = 1;
  return CU_SUCCESS;
}

/* ----------------------------------------------------------------------------------------- copies and launches ---- */

cu_result cuMemcpyHtoD_v2(cu_address to, const void *from, size_t size) {
  ENTER(cuMemcpyHtoD_v2);
  if (range_of(to, size) == nullptr) {
    return CU_ERROR_INVALID_VALUE;
  }
  std::memcpy(reinterpret_cast<void *>(to), from, size);
  return CU_SUCCESS;
}

cu_result cuMemcpyDtoH_v2(void *to, cu_address from, size_t size) {
  ENTER(cuMemcpyDtoH_v2);
  if (range_of(from, size) == nullptr) {
    return CU_ERROR_INVALID_VALUE;
  }
  std::memcpy(to, reinterpret_cast<const void *>(from), size);
  return CU_SUCCESS;
}

/* Pinned memory is read when the device gets there, as a transfer would; other memory at once. */
cu_result cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t size, cu_stream stream) {
  ENTER(cuMemcpyHtoDAsync_v2);
  fake_stream *s = stream_of(stream);
  if (s == nullptr || range_of(to, size) == nullptr) {
    return CU_ERROR_INVALID_VALUE;
  }
  if (is_pinned(from, size)) {
    put(s, always, [=] { std::memcpy(reinterpret_cast<void *>(to), from, size); });
  } else {
    const std::string copy(static_cast<const char *>(from), size);
    put(s, always, [=] { std::memcpy(reinterpret_cast<void *>(to), copy.data(), copy.size()); });
  }
  return CU_SUCCESS;
}

cu_result cuMemcpyDtoDAsync_v2(cu_address to, cu_address from, size_t size, cu_stream stream) {
  ENTER(cuMemcpyDtoDAsync_v2);
  fake_stream *s = stream_of(stream);
  if (s == nullptr || range_of(to, size) == nullptr || range_of(from, size) == nullptr) {
    return CU_ERROR_INVALID_VALUE;
  }
  put(s, always, [=] { std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), size); });
  return CU_SUCCESS;
}

cu_result cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned, cu_stream stream, void **parameters, void **) {
  ENTER(cuLaunchKernel);
  fake_stream *s = stream_of(stream);
  if (s == nullptr || function->module->context == nullptr || function->module->context != current() ||
      s->context != current()) {
    return CU_ERROR_INVALID_HANDLE;
  }
  if (grid_x == 0 || grid_y == 0 || grid_y > 65535 || grid_z != 1 || block_x == 0 || block_x > 1024 ||
      block_x % 32 != 0 || block_y != 1 || block_z != 1) {
    return CU_ERROR_INVALID_VALUE;
  }
  const auto params = std::make_shared<cuda_params>(*static_cast<const cuda_params *>(parameters[0]));
  std::shared_ptr<cuda_ids> ids;
  if (function->name.find("_ids") != std::string::npos) {
    ids = std::make_shared<cuda_ids>(*static_cast<const cuda_ids *>(parameters[1]));
  }
  const std::string name = function->name;
  const uint32_t warps = grid_x * (block_x / 32);
  put(s, always, [=] { emulate::launch(name, *params, ids.get(), warps, grid_y); });
  return CU_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------------- graphs ---- */

cu_result cuStreamBeginCapture_v2(cu_stream stream, int) {
  ENTER(cuStreamBeginCapture_v2);
  stream_of(stream)->capture = std::make_shared<fake_graph>();
  state().capturing++;
  return CU_SUCCESS;
}

cu_result cuStreamEndCapture(cu_stream stream, fake_graph **graph) {
  ENTER(cuStreamEndCapture);
  fake_stream *s = stream_of(stream);
  *graph = new fake_graph(*s->capture);
  s->capture = nullptr;
  state().capturing--;
  return CU_SUCCESS;
}

cu_result cuGraphInstantiateWithFlags(fake_graph **launchable, fake_graph *graph, unsigned long long) {
  ENTER(cuGraphInstantiateWithFlags);
  *launchable = new fake_graph(*graph);
  return CU_SUCCESS;
}

cu_result cuGraphLaunch(fake_graph *launchable, cu_stream stream) {
  ENTER(cuGraphLaunch);
  fake_stream *s = stream_of(stream);
  for (const work &w : launchable->steps) {
    put(s, w.ready, w.now);
  }
  return CU_SUCCESS;
}

cu_result cuGraphExecDestroy(fake_graph *launchable) {
  ENTER(cuGraphExecDestroy);
  drain(); /* entries of streams hold no reference to it, but keep the order of the real one */
  delete launchable;
  return CU_SUCCESS;
}

cu_result cuGraphDestroy(fake_graph *graph) {
  ENTER(cuGraphDestroy);
  delete graph;
  return CU_SUCCESS;
}

}  // extern "C"
