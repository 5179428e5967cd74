// The last 600 of a series of times, e.g. of frames: the newest one and percentiles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace cinderscope {

class RecentTimes {
 public:
  void add(double ms) {
    if (times_ms_.size() < kKept) {
      times_ms_.push_back(ms);
    } else {
      times_ms_[next_] = ms;
    }
    last_ms_ = ms;
    next_ = (next_ + 1) % kKept;
  }
  std::size_t count() const { return times_ms_.size(); }  // kept ones
  double last_ms() const { return last_ms_; }
  // `share` of the kept times are no longer than this: 0.5 is the median. 0 without any.
  double percentile_ms(double share) const {
    if (times_ms_.empty()) return 0;
    std::vector<double> sorted = times_ms_;
    std::sort(sorted.begin(), sorted.end());
    const auto last = static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(std::lround(share * last))];
  }

 private:
  static constexpr std::size_t kKept = 600;
  std::vector<double> times_ms_;
  std::size_t next_ = 0;
  double last_ms_ = 0;
};

}  // namespace cinderscope
