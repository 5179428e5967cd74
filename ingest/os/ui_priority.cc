#include "ingest/base/ui_priority.h"

#include <chrono>
#include <type_traits>
#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/os/thread_priority.h"

namespace cinderscope {
namespace {

std::atomic<bool> ui_priority_enabled{false};
thread_local bool this_is_lowered = false;

}  // namespace

std::atomic<int> detail::frames_in_progress{0};

bool is_lowered() {
  return this_is_lowered;
}

SamePriorityAs::SamePriorityAs(bool other) : before_(std::exchange(this_is_lowered, other)) {}

SamePriorityAs::~SamePriorityAs() {
  this_is_lowered = before_;
}

FrameInProgress::FrameInProgress() {
  detail::frames_in_progress = 1;
}

FrameInProgress::~FrameInProgress() {
  detail::frames_in_progress = 0;
  wake_waiting(detail::frames_in_progress);
}

bool detail::rest_during_frame(const RestLimits& limits) {
  if (!this_is_lowered) return false;
  using Clock = std::chrono::steady_clock;
  thread_local bool has_rested = false;
  thread_local Clock::time_point last_rest;
  static_assert(std::is_trivially_destructible_v<decltype(last_rest)>);
  const Clock::time_point begin = Clock::now();
  if (has_rested && begin - last_rest < limits.work_between) return false;
  const SelfTraceMark mark("rest while the window draws");
  // Woken without a reason it works on: the next place to rest is near.
  wait_for_change(frames_in_progress, 1, limits.longest);
  last_rest = Clock::now();
  has_rested = true;
  return true;
}

void enable_ui_priority() {
  ui_priority_enabled = true;
}

void lower_this_thread() {
  this_is_lowered = true;
  if (ui_priority_enabled) run_behind_window();
}

}  // namespace cinderscope
