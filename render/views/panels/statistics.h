// The Statistics panel: the measured scope and a table of names that can be sorted and filtered.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/tables/statistics_table.h"

namespace cinderscope {

enum class StatisticsScope : std::uint8_t { trace, range, thread };

struct StatisticsFrame {
  const Theme& theme;
  Rect area;
  const StringPool* names = nullptr;  // of the statistics
  TimeAxis axis = TimeAxis::nanoseconds;
  // Null: nothing has been added up yet. `rows` are indices of its names, in the order shown.
  const SliceStatistics* statistics = nullptr;
  std::span<const std::uint32_t> rows;
  std::string thread;  // the measured thread; empty: all threads
  // The present choice; the statistics may still be those of an earlier one.
  StatisticsOrder order;
  StatisticsScope scope = StatisticsScope::trace;
  bool has_range = false, has_thread = false;  // there is one to choose
  bool whole_calls = false;
  bool working = false;         // newer statistics are being added up
  StringId selected = kNoName;  // name of the selected call
};

// Runs commands: scope, whole-calls, sort-statistics and so on. One for each tab.
class StatisticsView {
 public:
  void draw(const StatisticsFrame& frame, Actions& actions);
  // Closes the menu of a row (Escape); false if it is not open.
  bool close_menu();

 private:
  void draw_menu(const StatisticsFrame& frame, Actions& actions);

  bool menu_asked_ = false, menu_open_ = false, menu_closes_ = false;
  NameStatistics menu_row_;  // the row of the menu
};

// The measured scope: "Selected range 60.000 ms on CrRendererMain".
std::string measured_text(const StatisticsFrame& frame);

}  // namespace cinderscope
