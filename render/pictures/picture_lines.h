// What pictures of lines of boxes have in common: which lines there is room for, and how thin boxes
// may be.
#pragma once

#include <cstddef>
#include <functional>

#include "render/pictures/picture_pen.h"

namespace cinderscope {

// The width below which boxes are put together, after `px` gave too many: 1, 1.5, 2, 3, 4, 6, 8, …
float wider_merging(float px);

// Lays out with wider merging until no more boxes are left than may be drawn, or each is wider than
// `width_px`. `lay_out` gives the number of boxes for a width at scale 1. Notes what was merged.
// Returns the width.
float fit_boxes(PicturePen& pen, std::size_t most_boxes, float width_px,
                const std::function<std::size_t(float merge_px)>& lay_out);

struct PictureLines {
  std::size_t count = 0;
  float step_px = 0;
  float most_height_px = 0;  // 0: as high as they are
  std::function<void(std::size_t line, float y)> draw;
};
// Each is a row, and a place where pages may end. Notes how many are left out. Returns where the
// last one ends.
float draw_lines(PicturePen& pen, float y, const PictureLines& lines);

}  // namespace cinderscope
