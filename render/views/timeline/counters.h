// Draws counters as filled areas, several series stacked, or as lines if some value is negative.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "render/layout/counter_lod.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Keeps summaries of the counters drawn so far.
class CounterCache {
 public:
  const CounterLod& of(TrackId track, std::size_t series, const CounterSeries& values);
  // How a counter is drawn; made once, since that takes a look at every point.
  struct Shape {
    std::size_t points = 0, series = 0;  // of the counter when this was made
    bool stacked = false;
    double low = 0, high = 1;  // values at the lower and the upper edge
  };
  const Shape& shape_of(TrackId track, const Track& facts);
  void reset() {
    lods_.clear();
    shapes_.clear();
  }
  // Scratch: columns of one series, and of the series below it in the stack.
  std::vector<CounterColumn> columns;
  std::vector<ValueSpan> below;

 private:
  std::map<TrackId, Shape> shapes_;
  std::map<std::pair<TrackId, std::size_t>, CounterLod> lods_;
};

void draw_counters(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                   CounterCache& cache);

}  // namespace cinderscope
