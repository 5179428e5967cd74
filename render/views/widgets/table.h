// The table widget: heads that sort, rows that are clicked, any number of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/tables/table_column.h"
#include "render/views/widgets/table_scroll.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct TableCell {
  std::string text;  // any text of a trace
  Rgba chip = 0;     // of a square before the text; 0: none
  float bar = 0;     // in [0, 1] of the cell's width; drawn behind the text
  bool dim = false;
  std::size_t tail_bytes = 0;  // the end of `text`, an id: dim, as numbers are
  Rgba colour = 0;             // of the text; 0: as the others
  // A bar from the middle of the cell, to the left where it is negative, in [-1, 1]; the text
  // stands on the other side of the middle.
  std::optional<float> split_bar = std::nullopt;
  Rgba split_colour = 0;
  // A dot on an axis that all rows share, in [0, 1] of the cell's width.
  std::optional<float> dot = std::nullopt;
  bool hollow_dot = false;
  std::optional<bool> check = std::nullopt;  // a check box in the place of the text
};

struct TableFrame {
  const Theme& theme;
  Rect area;  // of heads and rows
  std::vector<const TableColumn*> columns = {};
  std::uint64_t row_count = 0;
  // Asked for what is on screen only, one row after the other.
  std::function<TableCell(std::uint64_t row, std::size_t column)> cell = {};
  std::function<bool(std::uint64_t row)> is_current = {};  // stands out; may be empty
  std::optional<std::size_t> sorted_column = std::nullopt;
  bool descending = false;
  // Names of columns are words of a query: drawn as code, bars begin at the right.
  bool of_query = false;
  bool dim = false;            // a newer answer is on its way
  std::string_view note = {};  // in the place of rows where there are none
};

struct TableEvents {
  std::optional<std::size_t> sort;       // a column
  std::optional<std::size_t> head_menu;  // a column whose head was right clicked
  std::optional<std::uint64_t> hovered;  // a row
  std::optional<std::uint64_t> clicked, double_clicked, right_clicked;  // rows
  std::size_t pointed_column = 0;                                       // of these
  // By keys: the row that they went to, the one that Enter was pressed on, and the one whose check
  // box Space was.
  std::optional<std::uint64_t> reached, entered, checked;

  // What shows a row, whichever way it was chosen; and what goes on from it.
  std::optional<std::uint64_t> chosen() const { return clicked ? clicked : reached; }
  std::optional<std::uint64_t> opened() const { return double_clicked ? double_clicked : entered; }
};

// What a key does while the table has the keys.
enum class TableKey : std::uint8_t {
  up,
  down,
  left,
  right,
  page_up,
  page_down,
  first,
  last,
  enter,
  space,
};

// What every table's menu ends with: commands that take the whole table away.
void draw_table_items(Actions& actions);

// Keeps how far the table is scrolled. What is drawn is a screenful, however long it is.
class TableView {
 public:
  TableEvents draw(const TableFrame& frame);
  // Brings a row into sight with the next draw(). Keys go on from it.
  void show_row(std::uint64_t row) { shown_row_ = row; }
  // With the next draw().
  void press(TableKey key) { keys_.push_back(key); }
  // Whether keys come here: the row that they move from stands out then.
  void set_focus(bool focused) {
    looks_for_row_ |= focused && !focused_;
    focused_ = focused;
  }

 private:
  struct PlacedColumn {
    std::size_t column = 0;
    float x = 0, width = 0;  // in the table
  };
  void place_columns(const Pen& pen, const TableFrame& frame, float room_px);
  void draw_head(const Pen& pen, const TableFrame& frame, const Rect& area, TableEvents& events);
  void draw_rows(const TableFrame& frame, const Rect& area, TableEvents& events);
  void draw_row(const Pen& pen, const TableFrame& frame, std::uint64_t row, const Rect& place,
                const Rect& columns, bool hovered);
  void take_keys(const TableFrame& frame, double rows_on_screen, float step_px,
                 TableEvents& events);

  std::vector<PlacedColumn> placed_;
  float content_px_ = 0;
  TableScroll scroll_;
  std::optional<std::uint64_t> shown_row_;
  std::vector<TableKey> keys_;
  std::optional<std::uint64_t> key_row_;  // where keys are
  bool focused_ = false;
  bool looks_for_row_ = false;  // the current one may be another by now
};

}  // namespace cinderscope
