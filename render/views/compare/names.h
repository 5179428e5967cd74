// The Names panel of a comparison: what is measured, which rows are shown, and the table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/comparison.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/tables/compared_table.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

struct ComparedNamesFrame {
  const Theme& theme;
  Rect area;
  const ComparedSides* sides = nullptr;  // null with the comparison: nothing is known yet
  const Comparison* comparison = nullptr;
  std::span<const std::uint32_t> rows;  // of the comparison
  ComparedOrder order;
  std::vector<ComparedField> fields;  // that are shown
  std::string_view selected;          // a compared name
  std::string_view longest_calls;     // longest_calls() of these rows
  bool working = false;
  std::string_view note;                                     // in place of rows
  std::function<std::uint32_t(std::uint32_t name)> hash_of;  // for its colour
};

class ComparedNamesView {
 public:
  // Runs "compare-measure", "compare-filter", "compare-text", "compare-min", "compare-sort",
  // "compare-column", "compare-select", "compare-go" and what its menu offers.
  void draw(const ComparedNamesFrame& frame, Actions& actions);
  bool close_menu();
  // Brings a row into sight.
  void show_row(std::uint64_t row) { table_.show_row(row); }
  TableView& table() { return table_; }  // for keys

 private:
  void draw_tools(const ComparedNamesFrame& frame, const Rect& bar, Actions& actions);
  void draw_table(const ComparedNamesFrame& frame, const Rect& area, Actions& actions);
  void draw_menu(const ComparedNamesFrame& frame, Actions& actions);
  void draw_columns_menu(const ComparedNamesFrame& frame, Actions& actions);

  TableView table_;
  std::string menu_name_;
  bool menu_asked_ = false, columns_asked_ = false, menu_open_ = false, menu_closes_ = false;
};

// Whose colour and arrow a verdict has: 1 more, -1 less, 0 neither.
int direction_of(Verdict verdict);

}  // namespace cinderscope
