// How far a table is scrolled, and the thin bars that show and change it.
#pragma once

#include <cstdint>
#include <optional>

#include "render/views/widgets/widgets.h"

namespace cinderscope {

// How much there is to scroll through.
struct TableExtent {
  std::uint64_t rows = 0;
  double rows_on_screen = 1;
  float content_px = 0;  // of all columns, in window pixels
};

class TableScroll {
 public:
  static constexpr float kGroovePx = 10;  // takes presses; wider than what is drawn of a bar

  // Scrolls by wheel and bars of the current window, and draws these.
  void update(const Pen& pen, const Rect& area, const TableExtent& extent);
  void show(std::uint64_t row, double rows_on_screen);
  void scroll_sideways(float by_px) { left_px_ += static_cast<double>(by_px); }

  // In rows, not pixels: a float cannot count the pixels of a hundred million rows.
  double first_row() const { return first_row_; }
  float left_px() const { return static_cast<float>(left_px_); }

 private:
  double first_row_ = 0, left_px_ = 0;
  std::optional<float> held_row_bar_, held_column_bar_;  // the point of the thumb that is held
};

}  // namespace cinderscope
