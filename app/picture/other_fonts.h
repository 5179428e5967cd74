// Fonts of the system for pictures, where the program can ask for them.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "render/pictures/cairo_painter.h"

namespace cinderscope {

using FindFonts = std::function<std::vector<OtherFont>(const std::set<char32_t>& characters)>;

// Set once by a program that knows the system's fonts; without it there are none.
void use_other_fonts(FindFonts find);
std::vector<OtherFont> other_fonts(const std::set<char32_t>& characters);

}  // namespace cinderscope
