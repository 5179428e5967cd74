// Draws counters as filled areas, one tone for each series.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/canvas_view.h"
#include "render/counter_lod.h"
#include "render/layout.h"

namespace cinderscope {

// Summaries of the counters drawn so far.
class CounterCache {
 public:
  const CounterLod& of(TrackId track, std::size_t series, const CounterSeries& values);
  void reset() { lods_.clear(); }
  std::vector<CounterColumn> columns;  // scratch

 private:
  std::map<std::pair<TrackId, std::size_t>, CounterLod> lods_;
};

void draw_counters(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                   CounterCache& cache);

// The values of all series at the cursor, "12.5" or "3 / 7"; the last ones without a cursor.
std::string counter_value_text(const Track& track, std::optional<std::int64_t> cursor_ns);

}  // namespace cinderscope
