// The Statistics panel: the measured scope and a table of names that can be sorted and filtered.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/scope_choice.h"
#include "render/base/theme.h"
#include "render/tables/statistics_table.h"
#include "render/text/time_text.h"
#include "render/views/panels/slices_choice.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

struct StatisticsFrame {
  const Theme& theme;
  Rect area;
  TimestampFormat time_format;  // how times on the axis are written
  // Null: nothing has been added up yet.
  const SliceStatistics* statistics = nullptr;
  const ValueTable* table = nullptr;    // of the same
  std::span<const std::uint32_t> rows;  // of the table, in the order shown
  bool of_runs = false;                 // as statistics_table() says
  std::string thread;                   // the measured one; empty: all threads
  std::string connected_with;           // the call of the set "connected"
  // The present choice; the statistics may still be those of an earlier one.
  TableOrder order;
  ScopeChoice scope = ScopeChoice::trace;
  SlicesChoice slices;
  ScopesThere scopes{.range = false, .thread = false, .call = false};
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
  TableView& table() { return table_; }  // for keys

 private:
  struct Row {
    StringId name = kNoName;
    SliceRef longest;
  };
  void draw_table(const StatisticsFrame& frame, const Rect& area, Actions& actions);
  void draw_menu(const StatisticsFrame& frame, Actions& actions);

  TableView table_;
  bool menu_asked_ = false, menu_open_ = false, menu_closes_ = false;
  Row menu_row_;  // the row of the menu
};

// The measured scope: "Selected range 60.000 ms on CrRendererMain".
std::string measured_text(const StatisticsFrame& frame);

}  // namespace cinderscope
