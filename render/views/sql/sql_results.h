// The right of the SQL tab: the rows that a query gave, and what is done with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "render/base/actions.h"
#include "render/base/palette.h"
#include "render/tables/query_table.h"
#include "render/tables/table_order.h"
#include "render/text/time_text.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

struct SqlResultsFrame {
  const Theme& theme;
  Rect area;
  TimestampFormat time_format;
  const QueryTable* table = nullptr;         // null: no rows were given yet
  std::span<const std::uint32_t> rows = {};  // in the order shown
  std::string_view head, head_dim;           // "61 rows in 9 ms", "so far"
  std::string_view note;                     // where there are no rows
  std::size_t which = 0, count = 0;          // of several results
  std::optional<std::size_t> sorted;         // column
  bool descending = false;
  std::string_view filter;
  bool filter_open = false;
  bool shown = false, can_show = false;  // in the timeline
  bool follows = false;
  bool dim = false;  // a newer answer is on its way
  std::function<bool(std::uint32_t row)> is_current;
};

struct SqlResultsEvents {
  std::optional<std::uint32_t> chosen, opened;  // rows of the table
  std::size_t column = 0;                       // that was pointed at
  std::optional<std::size_t> which;             // another result
};

// Runs commands: sql-sort, sql-filter, sql-show, sql-column and so on. One for each tab.
class SqlResults {
 public:
  SqlResultsEvents draw(const SqlResultsFrame& frame, Actions& actions);
  bool close_menu();
  TableView& table() { return table_; }

 private:
  void draw_tools(const SqlResultsFrame& frame, const Rect& line, SqlResultsEvents& events,
                  Actions& actions);
  void draw_head_menu(const SqlResultsFrame& frame, Actions& actions);
  void draw_row_menu(const SqlResultsFrame& frame, Actions& actions);
  void measure(const SqlResultsFrame& frame, const Pen& pen);
  TableCell cell(const SqlResultsFrame& frame, std::uint32_t row, std::size_t column) const;

  TableView table_;
  // Heads with the widths that the first rows ask for.
  std::vector<TableColumn> heads_;
  const ValueTable* measured_ = nullptr;
  float measured_scale_ = 0;
  TimestampFormat measured_format_;
  std::size_t menu_column_ = 0;
  std::uint32_t menu_row_ = 0;
  bool head_menu_asked_ = false, row_menu_asked_ = false, menu_open_ = false, menu_closes_ = false;
};

}  // namespace cinderscope
