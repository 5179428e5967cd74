// Measures how long input waits until a frame that took it is on screen.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

#include "app/script/recent_times.h"

namespace cinderscope {

// Follows a queue of input by the number of events in it. A frame counts once, by the oldest event
// that it took.
class InputClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // The queue holds `queued` events now; the new ones came at `when`.
  void arrived(std::size_t queued, TimePoint when) { arrivals_.resize(queued, when); }
  // A frame took events from the queue's front and left `left` of them.
  void taken(std::size_t left) {
    if (left < arrivals_.size() && !oldest_) oldest_ = arrivals_.front();
    while (arrivals_.size() > left) arrivals_.pop_front();
  }
  // That frame, or the next one if it looked like the one before, is on screen.
  void shown(TimePoint now) {
    if (!oldest_) return;
    times_.add(std::chrono::duration<double, std::milli>(now - *oldest_).count());
    oldest_.reset();
  }
  // No frame follows: events taken and not shown have changed nothing on screen.
  void rested() { oldest_.reset(); }
  const RecentTimes& times() const { return times_; }

 private:
  std::deque<TimePoint> arrivals_;   // of the events in the queue
  std::optional<TimePoint> oldest_;  // of the events in the frame that is being drawn
  RecentTimes times_;
};

}  // namespace cinderscope
