// Background threads give way to the thread that draws the window.
#pragma once

#include <atomic>
#include <chrono>

namespace cinderscope {

// Call before the window is opened and before any other thread is started. Without it
// lower_this_thread() changes no priority, so sub-commands share the machine as any program does.
void enable_ui_priority();

// Makes the calling thread a background thread, as are the threads that it starts: the system gives
// the window's thread a core as soon as it wants one. Call at the thread's start. Does nothing
// where the system has no priorities of single threads.
void lower_this_thread();

// Whether the calling thread is a background thread.
bool is_lowered();

// While it lives the calling thread is a background thread or not, as the thread it works for is: a
// helper of the window's thread must not rest during a frame.
class SamePriorityAs {
 public:
  explicit SamePriorityAs(bool other);
  ~SamePriorityAs();
  SamePriorityAs(const SamePriorityAs&) = delete;
  SamePriorityAs& operator=(const SamePriorityAs&) = delete;

 private:
  bool before_;
};

// While it lives the window draws a frame, and background threads rest in yield_to_ui(). A lower
// priority is not enough: where every core runs a loader, a thread that wakes up waits for the end
// of the loader's time slice, and a frame that several threads draw (software OpenGL) has a dozen
// of such waits in it. One at a time; never blocks.
class FrameInProgress {
 public:
  FrameInProgress();
  ~FrameInProgress();
  FrameInProgress(const FrameInProgress&) = delete;
  FrameInProgress& operator=(const FrameInProgress&) = delete;
};

// Bounds of the rest, so that a frame that never ends cannot stop a load: a display may take no
// picture while the window is hidden.
struct RestLimits {
  std::chrono::milliseconds longest{40};
  std::chrono::milliseconds work_between{5};  // from a rest to the next one
};

namespace detail {
extern std::atomic<int> frames_in_progress;
bool rest_during_frame(const RestLimits& limits);
}  // namespace detail

// Rests while the window draws, on a background thread; true if it did. Call it every tenth of a
// millisecond or so, holding no lock that the window needs. Costs one relaxed load while no frame
// is drawn, and never rests on other threads.
inline bool yield_to_ui(const RestLimits& limits = {}) {
  if (detail::frames_in_progress.load(std::memory_order_relaxed) == 0) return false;
  return detail::rest_during_frame(limits);
}

}  // namespace cinderscope
