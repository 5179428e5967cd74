// Details of the selected range or the whole trace: what is in it, and the ways on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/totals/counter_sums.h"
#include "ingest/totals/slice_statistics.h"
#include "render/base/actions.h"
#include "render/views/panels/flame_graph.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct RangeDetailsFrame {
  const Timeline& timeline;
  const TimelineState& state;  // without a range it is the whole trace
  const Theme& theme;
  Rect area;
  const SliceStatistics* statistics = nullptr;  // null while they are added up for the first time
  const AggregatedCallTree* tree = nullptr;     // the same
  std::uint64_t totals_version = 0;             // grows when they change
  std::uint64_t version = 0;                    // changes with the timeline
  bool counting = false;                        // newer totals are being added up
  std::string_view note;                        // what is not measured; may be empty
};

// Keeps sums of counters and what the small flame graph is zoomed to.
class RangeDetailsView {
 public:
  // `top` draws what stands above the facts, into the same column.
  void draw(const RangeDetailsFrame& frame, const std::function<void(Column&)>& top,
            Actions& actions);
  bool step_back() { return graph_.step_back(); }

 private:
  struct CounterLine {
    TrackId track = kNoTrack;
    std::size_t series = 0;
    std::optional<CounterMeasure> measure;  // once it was on screen
  };
  void update(const RangeDetailsFrame& frame);
  void draw_facts(const RangeDetailsFrame& frame, Column& column, Actions& actions) const;
  static void draw_names(const RangeDetailsFrame& frame, Column& column, Actions& actions);
  void draw_counters(const RangeDetailsFrame& frame, Column& column);
  const CounterMeasure& measured(const RangeDetailsFrame& frame, CounterLine& line);

  FlameGraphView graph_;
  // What the counters are listed for.
  const StringPool* strings_ = nullptr;
  std::uint64_t version_ = 0;
  std::int64_t begin_ns_ = 0, end_ns_ = -1;
  std::vector<CounterLine> counters_;  // those with a value in the range
  std::unordered_map<const CounterSeries*, CounterSums> sums_;
};

}  // namespace cinderscope
