// Text in the order and shapes in which it is drawn: Hebrew and Arabic run from right to left and
// Arabic letters join, but Dear ImGui draws one character after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope {

// False for text that visual_text() would not change: ASCII, and every left-to-right script whose
// characters lie below U+10000.
bool needs_visual(std::string_view text);

// `text` (drawable, see label.h) as it is drawn from left to right. The direction of a text is that
// of its first letter that has one, so an ellipsis added at its end stands where the reader expects
// the rest. Characters past `last_character` become U+25A1, a box each; bytes that are no UTF-8
// become U+FFFD. The direction of one text never affects the next.
std::string visual_text(std::string_view text, char32_t last_character = 0x10ffff);

}  // namespace cinderscope
