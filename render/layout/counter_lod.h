// Smallest and largest values over runs of a counter's points, so that drawing follows pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/viewport.h"

namespace cinderscope {

struct ValueSpan {
  float min = 0, max = 0;
};

// A tree over one series: level 0 spans 16 points, each further level 16 of the one below.
class CounterLod {
 public:
  explicit CounterLod(const CounterSeries& series);
  std::size_t points() const { return points_; }
  // Over points [begin, end), which must not be empty. O(log n).
  ValueSpan over(const CounterSeries& series, std::size_t begin, std::size_t end) const;

 private:
  std::size_t points_ = 0;
  std::vector<std::vector<ValueSpan>> levels_;
};

// One column of pixels of a drawn counter.
struct CounterColumn {
  float x_px = 0;
  ValueSpan values;  // that it takes within the column, the one it comes in with included
};

// Replaces `out`; columns before the first point are left out, and those behind `end_ns`, the
// trace's end.
void counter_columns(const CounterSeries& series, const CounterLod& lod, const Viewport& view,
                     std::int64_t end_ns, std::vector<CounterColumn>& out);

// The largest sum of all series at one time, for a stack of areas. Exact where the series share
// their times, as those of one event do; else the sum of the largest values. What is no number
// counts as zero. O(points).
double highest_sum(const Track& track);

}  // namespace cinderscope
