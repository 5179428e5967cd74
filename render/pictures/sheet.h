// What every picture has around what it shows: a margin, a title, a caption, a legend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "render/pictures/picture_pen.h"

namespace cinderscope {

struct LegendName {
  std::string name, total;
  std::uint32_t hash = 0;  // picks its colour
};

struct PictureSheet {
  PictureLook look;
  float width_px = 1600;
  std::optional<float> height_px;  // as high as what is drawn
  float frame_px = 12;
  std::string title, caption;
  std::vector<LegendName> legend;
};

// Draws from `at` on, so wide and, unless that is 0, at most so high; gives the height.
using DrawPicture = std::function<Result<float>(PicturePen& pen, PicturePoint at, float width_px,
                                                float most_height_px)>;

Result<DrawList> draw_sheet(const PictureSheet& sheet, const TextMeasure& measure,
                            const DrawPicture& draw);

}  // namespace cinderscope
