// The Calls panel: a table of all calls with their facts, or of the statements that they ran.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/tables/table_order.h"
#include "render/tables/value_table.h"
#include "render/text/time_text.h"
#include "render/views/widgets/table.h"

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
  TableOrder order;      // as requested
  std::string problem;   // of the filter
  bool working = false;  // a newer answer is on its way
  SliceRef selected;
};

// Runs commands. One for each tab.
class CallsView {
 public:
  void draw(const CallsFrame& frame, Actions& actions);
  TableView& table() { return table_; }  // for keys

 private:
  void draw_table(const CallsFrame& frame, const Rect& area, Actions& actions);

  TableView table_;
};

}  // namespace cinderscope
