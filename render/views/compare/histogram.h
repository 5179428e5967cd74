// Durations of one name on both sides: bars of B, the outline of A, and numbers beside them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/compare/compared_sides.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct ComparedHistogramFrame {
  const Theme& theme;
  Rect area;
  const ComparedHistogram* histogram = nullptr;  // null: no name is selected, or none is known
  std::string_view label;
  std::uint32_t name_hash = 0;
  OfSides<SideNumbers> numbers{};
  std::optional<double> chance;
  TimeAxis axis = TimeAxis::nanoseconds;
  std::string_view note;  // in its place
};

class ComparedHistogramView {
 public:
  // A number goes to its call ("compare-go"), a drag over bars searches for the calls of both
  // sides.
  void draw(const ComparedHistogramFrame& frame, Actions& actions);

 private:
  void draw_bars(const ComparedHistogramFrame& frame, const Rect& area, Actions& actions);

  bool counts_ = false;  // heights are numbers of calls, not shares
  std::optional<std::size_t> brush_from_;
};

}  // namespace cinderscope
