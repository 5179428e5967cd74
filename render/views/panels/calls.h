// The Calls panel: a table of all calls with their facts, or of the statements that they ran.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/tables/value_table.h"
#include "render/text/time_text.h"

namespace cinderscope {

enum class CallsShown : std::uint8_t { calls, statements };

struct CallsFrame {
  const Theme& theme;
  Rect area;
  TimestampFormat time_format;  // how times on the axis are written
  CallsShown shown = CallsShown::calls;
  bool has_statements = false;
  // Null: nothing was read yet. `rows` are indices into it, in the order shown.
  const ValueTable* table = nullptr;
  std::span<const std::uint32_t> rows;
  ValueOrder order;      // as requested
  std::string problem;   // of the filter
  bool working = false;  // a newer answer is on its way
  SliceRef selected;
};

// Runs commands. One for each tab. Draws only the rows on screen, however long the table is.
class CallsView {
 public:
  void draw(const CallsFrame& frame, Actions& actions);

 private:
  struct PlacedColumn {
    std::size_t column = 0;
    float x = 0, width = 0;  // in the table
  };
  void draw_bar(const CallsFrame& frame, const Rect& bar, Actions& actions) const;
  void draw_head(const CallsFrame& frame, const Rect& head, Actions& actions) const;
  void draw_rows(const CallsFrame& frame, const Rect& area, Actions& actions);
  void place_columns(const CallsFrame& frame, float room_px);

  std::vector<PlacedColumn> placed_;
  float table_px_ = 0;
  float scroll_px_ = 0;  // to the right
};

}  // namespace cinderscope
