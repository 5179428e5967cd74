// Threads that work beside a window let the thread that draws it go first.
#pragma once

#include <atomic>
#include <chrono>

namespace cinderscope {

// From now on there is a window: by whoever opens one, before it starts other threads. Without it
// the call below does nothing, so that sub-commands share the machine as any program does.
void let_the_window_go_first();

// By a thread that loads, answers or prepares, at its start: the system then gives a core to the
// window's thread as soon as that wants one, and the rest of the time to this. Threads that it
// starts are the same. Any thread; does nothing where the system has no such priorities.
void give_way_to_the_window();

// Whether this thread does.
bool gives_way();

// While one exists this thread gives way as the one does that it works for: who helps the window
// with what it draws must not rest until it has drawn.
class GivesWayAs {
 public:
  explicit GivesWayAs(bool other);
  ~GivesWayAs();
  GivesWayAs(const GivesWayAs&) = delete;
  GivesWayAs& operator=(const GivesWayAs&) = delete;

 private:
  bool before_;
};

// While one exists the window draws what somebody waits for, and threads that give way rest at the
// next place that suits them. A lower priority is not enough for that: where each core has its
// loader a thread that wakes up waits for the end of that one's slice, and a frame that several
// threads draw, as a software OpenGL does, has a dozen of such waits in it. One at a time; never
// waits for anybody.
class WindowDraws {
 public:
  WindowDraws();
  ~WindowDraws();
  WindowDraws(const WindowDraws&) = delete;
  WindowDraws& operator=(const WindowDraws&) = delete;
};

// How far a thread gives way: a window that draws without an end must not stop it, be it for a
// display that takes no picture while the window is hidden.
struct RestLimits {
  std::chrono::milliseconds longest{40};
  std::chrono::milliseconds work_between{5};  // from a rest to the next one
};

namespace detail {
extern std::atomic<int> window_draws;
bool rest_while_window_draws(const RestLimits& limits);
}  // namespace detail

// By threads that give way, every tenth of a millisecond or so, where they hold no lock that the
// window needs: rests while the window draws. True if it did. One relaxed load otherwise; nothing
// more on threads that do not give way.
inline bool let_the_window_draw(const RestLimits& limits = {}) {
  if (detail::window_draws.load(std::memory_order_relaxed) == 0) return false;
  return detail::rest_while_window_draws(limits);
}

}  // namespace cinderscope
