// The mark of a side of a comparison: A hollow, B solid; the same everywhere and without a hue.
#pragma once

#include "render/views/widgets/draw.h"

namespace cinderscope {

inline constexpr float kSideChipPx = 18;

// `x` is its left edge, `y` its middle; `side_px` at scale 1.
void draw_side_chip(ImDrawList& list, const Theme& theme, float x, float y, bool is_b,
                    float side_px = kSideChipPx);

}  // namespace cinderscope
