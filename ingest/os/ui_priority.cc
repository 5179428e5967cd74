#include "ingest/base/ui_priority.h"

#include <optional>
#include <utility>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#endif

#include "ingest/base/self_trace.h"

namespace cinderscope {
namespace {

std::atomic<bool> ui_priority_enabled{false};
thread_local bool this_is_lowered = false;

// Not a mutex with a condition: the window would wait for a thread of low priority that has it.
#ifdef __linux__
static_assert(sizeof(std::atomic<int>) == sizeof(int));

void wait_for_change(std::atomic<int>& word, int from, std::chrono::milliseconds longest) {
  const auto ms = longest.count();
  const timespec limit{.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, from, &limit, nullptr, 0);
}

void wake_all(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}
#else
void wait_for_change(std::atomic<int>&, int, std::chrono::milliseconds) {}
void wake_all(std::atomic<int>&) {}
#endif

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
  wake_all(detail::frames_in_progress);
}

bool detail::rest_during_frame(const RestLimits& limits) {
  if (!this_is_lowered) return false;
  using Clock = std::chrono::steady_clock;
  thread_local std::optional<Clock::time_point> last_rest;
  const Clock::time_point begin = Clock::now();
  if (last_rest && begin - *last_rest < limits.work_between) return false;
  const SelfTraceMark mark("rest while the window draws");
  // Woken without a reason it works on: the next place to rest is near.
  wait_for_change(frames_in_progress, 1, limits.longest);
  last_rest = Clock::now();
  return true;
}

void enable_ui_priority() {
  ui_priority_enabled = true;
}

void lower_this_thread() {
  this_is_lowered = true;
#ifdef __linux__
  // On Linux a nice value belongs to a thread, setpriority(2) "NOTES", and a step is a quarter of
  // the weight: a busy loader has a quarter of a core that the window wants as well, and does not
  // starve beside other programs. Counted from the window's thread: a thread inherits its maker's.
  constexpr int kSteps = 5;
  if (!ui_priority_enabled) return;
  const int window_nice = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), window_nice + kSteps);
#endif
}

}  // namespace cinderscope
