// Buttons and check boxes of the SQL tab.
#pragma once

#include <string_view>

#include "render/views/widgets/widgets.h"

namespace cinderscope {

// A filled button, with its key in dim behind the label. `right`: x is its right edge. True when
// clicked; `width` gets what it took.
struct SqlButton {
  std::string_view label, keys = {};
  std::string_view help = {};
};
float sql_button_width(const Pen& pen, const SqlButton& button);
bool sql_button(const Pen& pen, const char* id, float x, float y, const SqlButton& button);

// Words and numbers in their own typefaces: "at most `30 s`, `1 GB`". Returns what it took.
float mixed_width(const Pen& pen, std::string_view text);
float draw_mixed(const Pen& pen, float x, float y, float room_px, Rgba colour,
                 std::string_view text);

float check_box_width(const Pen& pen, std::string_view label);
bool check_box(const Pen& pen, const char* id, float x, const Rect& line, std::string_view label,
               bool on, std::string_view help);

}  // namespace cinderscope
