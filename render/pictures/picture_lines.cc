#include "render/pictures/picture_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::array<float, 7> kMergePx = {1, 1.5f, 2, 3, 4, 6, 8};

}  // namespace

float wider_merging(float px) {
  for (const float each : kMergePx) {
    if (each > px) return each;
  }
  return px * 2;
}

float fit_boxes(PicturePen& pen, std::size_t most_boxes, float width_px,
                const std::function<std::size_t(float merge_px)>& lay_out) {
  float merge_px = 1;
  while (true) {
    const std::size_t boxes = lay_out(merge_px);
    pen.list().box_count = boxes;
    if (boxes <= most_boxes || merge_px > width_px) break;
    merge_px = wider_merging(merge_px);
  }
  if (merge_px > 1) {
    pen.list().notes.push_back(fmt::format("Boxes under {:g} px were merged: {} at most.",
                                           static_cast<double>(merge_px), count_text(most_boxes)));
  }
  return merge_px;
}

float draw_lines(PicturePen& pen, float y, const PictureLines& lines) {
  std::size_t count = lines.count;
  if (lines.most_height_px > 0) {
    const float fit = std::max(lines.most_height_px / lines.step_px, 1.0f);
    count = std::min(count, static_cast<std::size_t>(fit));
  }
  for (std::size_t i = 0; i < count; ++i) {
    pen.list().row_borders_px.push_back(y);
    pen.begin(PictureGroup::Kind::row);
    lines.draw(i, y);
    pen.end();
    y += lines.step_px;
  }
  if (count < lines.count) {
    pen.list().notes.push_back(
        fmt::format("{} more rows are left out.", count_text(lines.count - count)));
  }
  return y;
}

}  // namespace cinderscope
