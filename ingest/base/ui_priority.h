// Threads that work beside a window let the thread that draws it go first.
#pragma once

#include <atomic>
#include <chrono>

namespace cinderscope {

// From now on there is a window: by whoever opens one, before it starts other threads. Without it
// the call below does nothing, so that sub-commands share the machine as any program does.
void enable_ui_priority();

// By a thread that loads, answers or prepares, at its start: the system then gives a core to the
// window's thread as soon as that wants one, and the rest of the time to this. Threads that it
// starts are the same. Any thread; does nothing where the system has no such priorities.
void lower_this_thread();

// Whether this thread does.
bool is_lowered();

// While one exists this thread gives way as the one does that it works for: who helps the window
// with what it draws must not rest until it has drawn.
class SamePriorityAs {
 public:
  explicit SamePriorityAs(bool other);
  ~SamePriorityAs();
  SamePriorityAs(const SamePriorityAs&) = delete;
  SamePriorityAs& operator=(const SamePriorityAs&) = delete;

 private:
  bool before_;
};

// While one exists the window draws what somebody waits for, and threads that give way rest at the
// next place that suits them. A lower priority is not enough for that: where each core has its
// loader a thread that wakes up waits for the end of that one's slice, and a frame that several
// threads draw, as a software OpenGL does, has a dozen of such waits in it. One at a time; never
// waits for anybody.
class FrameInProgress {
 public:
  FrameInProgress();
  ~FrameInProgress();
  FrameInProgress(const FrameInProgress&) = delete;
  FrameInProgress& operator=(const FrameInProgress&) = delete;
};

// How far a thread gives way: a window that draws without an end must not stop it, be it for a
// display that takes no picture while the window is hidden.
struct RestLimits {
  std::chrono::milliseconds longest{40};
  std::chrono::milliseconds work_between{5};  // from a rest to the next one
};

namespace detail {
extern std::atomic<int> frames_in_progress;
bool rest_during_frame(const RestLimits& limits);
}  // namespace detail

// By threads that give way, every tenth of a millisecond or so, where they hold no lock that the
// window needs: rests while the window draws. True if it did. One relaxed load otherwise; nothing
// more on threads that do not give way.
inline bool yield_to_ui(const RestLimits& limits = {}) {
  if (detail::frames_in_progress.load(std::memory_order_relaxed) == 0) return false;
  return detail::rest_during_frame(limits);
}

}  // namespace cinderscope
