#include "app/cli/bench/load_bench.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "app/session/memory_watch.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/session/session.h"
#include "ingest/os/memory.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{1};
constexpr double kMostSeconds = 5;  // to wait for memory to be freed

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

CancelCost measure_cancel(const std::string& path, const LoadOptions& load) {
  CancelCost cost;
  const std::uint64_t before_bytes = own_memory_bytes();
  const auto timed = [&cost](auto call) {
    const Clock::time_point began = Clock::now();
    call();
    cost.longest_call_ms = std::max(cost.longest_call_ms, seconds_since(began) * 1e3);
  };
  const Clock::time_point opened = Clock::now();
  auto session = std::make_unique<Session>(
      path, [path](LoadContext& control) { return open_source(path, control); },
      SessionOptions{.load = load});
  while (session->loading() && session->load_fraction() < 0.5) {
    timed([&] { session->poll(); });
    if (cost.first_picture_seconds == 0 && session->has_trace() && !session->timeline().empty()) {
      cost.first_picture_seconds = seconds_since(opened);
    }
    std::this_thread::sleep_for(kLook);
  }
  if (cost.first_picture_seconds == 0) cost.first_picture_seconds = seconds_since(opened);
  cost.held_bytes = own_memory_bytes();
  const Clock::time_point closed = Clock::now();
  timed([&] { session->close(); });
  const std::uint64_t grown = cost.held_bytes > before_bytes ? cost.held_bytes - before_bytes : 0;
  // The memory may be back before the threads have ended, or a little later.
  for (bool ended = false, back = false; !(ended && back); std::this_thread::sleep_for(kLook)) {
    const double now_seconds = seconds_since(closed);
    if (!ended && session->idle()) {
      ended = true;
      cost.end_seconds = now_seconds;
    }
    if (!back) {
      cost.left_bytes = own_memory_bytes();
      back = cost.left_bytes <= before_bytes + grown / 20 || now_seconds > kMostSeconds;
      if (back) cost.memory_seconds = now_seconds;
    }
  }
  timed([&] { session.reset(); });
  return cost;
}

std::vector<StageTime> measure_stages(const std::string& path, const LoadOptions& load) {
  const StageRecorder recorder;
  const Result<OpenedTrace> trace = open_trace(path, load);
  return recorder.stages();
}

}  // namespace cinderscope
