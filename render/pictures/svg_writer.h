// A picture as SVG: static, text as text, nothing from outside.
#pragma once

#include <string>
#include <string_view>

#include "render/pictures/draw_list.h"
#include "render/pictures/text_measure.h"

namespace cinderscope {

// What XML may hold, with its signs escaped; all else becomes U+FFFD.
std::string xml_text(std::string_view text);

// `outlines`: glyphs as shapes in place of text, for print shops.
std::string svg_of(const DrawList& list, const TextMeasure& measure, bool outlines = false);

}  // namespace cinderscope
