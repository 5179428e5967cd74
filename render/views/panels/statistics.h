// The Statistics tab: what is measured, and a table of names that can be sorted and filtered.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/tables/statistics_table.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

enum class StatisticsScope : std::uint8_t { trace, range, thread };

struct StatisticsFrame {
  const Theme& theme;
  Rect area;
  const StringPool* names = nullptr;  // what the statistics name
  TimeAxis axis = TimeAxis::nanoseconds;
  // Null: nothing has been added up yet. Rows index its names and are in the order shown.
  const SliceStatistics* statistics = nullptr;
  std::span<const std::uint32_t> rows;
  std::string thread;  // the one that the statistics are of; empty: all threads
  // What is asked for; the statistics may still be those of the last question.
  StatisticsOrder order;
  StatisticsScope scope = StatisticsScope::trace;
  bool has_range = false, has_thread = false;  // there is one that could be measured
  bool whole_calls = false;
  bool working = false;         // a newer answer is on its way
  StringId selected = kNoName;  // name of the selected call
};

// Asks by commands of the table: scope, whole-calls, sort-statistics and so on. One per tab.
class StatisticsView {
 public:
  void draw(const StatisticsFrame& frame, Actions& actions);
  // The menu of a row, which Escape closes; false if it is not open.
  bool close_menu();

 private:
  void draw_menu(const StatisticsFrame& frame, Actions& actions);

  bool menu_asked_ = false, menu_open_ = false, menu_closes_ = false;
  NameStatistics menu_row_;  // what the menu is for
};

// "Selected range 60.000 ms on CrRendererMain": what the statistics are of.
std::string measured_text(const StatisticsFrame& frame);

}  // namespace cinderscope
