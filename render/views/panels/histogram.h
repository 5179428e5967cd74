// The distribution of the durations of all calls of a name: bars that can be dragged over, and
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ingest/totals/durations/duration_histogram.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct HistogramFrame {
  const DurationHistogram* histogram = nullptr;  // null while it is being counted
  std::string_view name;                         // as in the trace
  std::uint32_t name_hash = 0;
  std::int64_t selected_ns = -1;  // duration of the selected call; negative: none
  TimeAxis axis = TimeAxis::nanoseconds;
};

// Keeps the chosen axis and the drag in progress.
class HistogramView {
 public:
  // Draws into the next rows of the column. A click or a drag over bars searches for their calls.
  void draw(Column& column, const HistogramFrame& frame, Actions& actions);

 private:
  void draw_head(Column& column, const HistogramFrame& frame);
  void draw_bars(Column& column, const HistogramFrame& frame, Actions& actions);
  bool axis_button(const Pen& pen, const char* id, float& x, float y, std::string_view label,
                   std::string_view help, bool chosen) const;

  bool linear_ = false;
  std::optional<std::size_t> brush_from_;  // a bar
};

}  // namespace cinderscope
