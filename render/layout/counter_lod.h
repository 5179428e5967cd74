// The smallest and the largest value over runs of a counter's points, so that the cost of drawing
// depends on pixels, not on points.
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

// A tree over one series: a node of level 0 spans 16 points, one of each further level 16 nodes of
// the level below. Keeps no reference to the series. Any thread may read it.
class CounterLod {
 public:
  explicit CounterLod(const CounterSeries& series);
  std::size_t points() const { return points_; }  // of the series
  // Of points [begin, end) of `series`, the one it was made of; begin < end. O(log n).
  ValueSpan over(const CounterSeries& series, std::size_t begin, std::size_t end) const;

 private:
  std::size_t points_ = 0;
  std::vector<std::vector<ValueSpan>> levels_;
};

// One column of pixels of a drawn counter.
struct CounterColumn {
  float x_px = 0;    // real pixels from the view's left edge
  ValueSpan values;  // within the column, with the value at its left edge
};

// Replaces `out`: a column for each pixel of the view from the first point on, up to `end_ns`, the
// trace's end. Any thread.
void counter_columns(const CounterSeries& series, const CounterLod& lod, const Viewport& view,
                     std::int64_t end_ns, std::vector<CounterColumn>& out);

// The largest sum of all series of a counter at one time, for a stack of areas. Exact if the series
// share their times, as those of one event do; else the sum of their largest values. A value that
// is no number counts as zero. O(points).
double highest_sum(const Track& track);

}  // namespace cinderscope
