#include "render/pictures/picture_pen.h"

#include <algorithm>
#include <cmath>

#include "render/text/label.h"

namespace cinderscope {

Rgba blended(Rgba above, Rgba below) {
  const std::uint32_t alpha = above >> 24;
  Rgba mixed = 255u << 24;
  for (std::uint32_t shift = 0; shift < 24; shift += 8) {
    const std::uint32_t high = above >> shift & 0xff, low = below >> shift & 0xff;
    mixed |= (high * alpha + low * (255 - alpha) + 127) / 255 << shift;
  }
  return mixed;
}

void PicturePen::fill(const Rect& rect, Rgba colour) {
  if (rect.width <= 0 || rect.height <= 0 || colour >> 24 == 0) return;
  list_.items.emplace_back(PictureBox{rect, colour});
}

void PicturePen::horizontal_line(float x0, float x1, float y, Rgba colour) {
  fill({x0, std::floor(y), x1 - x0, 1}, colour);
}

void PicturePen::vertical_line(float x, float y0, float y1, Rgba colour) {
  fill({std::floor(x), y0, 1, y1 - y0}, colour);
}

void PicturePen::outline(const Rect& rect, Rgba colour, float width_px) {
  const float half = width_px / 2;
  list_.items.emplace_back(
      PictureOutline{{rect.x + half, rect.y + half, rect.width - width_px, rect.height - width_px},
                     colour,
                     width_px});
}

void PicturePen::polygon(std::vector<PicturePoint> points, Rgba colour) {
  list_.items.emplace_back(PicturePolygon{std::move(points), colour});
}

void PicturePen::line(std::vector<PicturePoint> points, Rgba colour, float width_px, bool curved) {
  list_.items.emplace_back(PictureLine{std::move(points), colour, width_px, curved});
}

// Each line is cut at the rectangle's edges, so that nothing has to be clipped.
void PicturePen::hatch(const Rect& rect, float step_px, float line_px, Rgba colour) {
  if (rect.width <= 0 || rect.height <= 0 || !(step_px > 0)) return;
  const float right = right_of(rect), bottom = bottom_of(rect);
  const float first = rect.x - rect.height;
  const auto steps = static_cast<int>((rect.width + rect.height) / step_px);
  for (int i = 1; i <= steps; ++i) {
    const float x = first + step_px * static_cast<float>(i);
    // From (x, bottom) up to the right.
    const float from = std::max(rect.x - x, 0.0f);
    const float to = std::min(rect.height, right - x);
    if (to <= from) continue;
    line({{x + from, bottom - from}, {x + to, bottom - to}}, colour, line_px);
  }
}

float PicturePen::width(PictureFont font, std::string_view text) const {
  return measure_.width(font, size_of(font), text);
}

float PicturePen::text(PictureFont font, float x, float y, Rgba colour, std::string_view text) {
  if (text.empty()) return 0;
  const float size_px = size_of(font), width_px = width(font, text);
  list_.items.emplace_back(
      PictureText{.x = x,
                  // On a whole pixel: horizontal strokes stay sharp.
                  .baseline_px = std::round(y + measure_.baseline_below_middle(font, size_px)),
                  .size_px = size_px,
                  .width_px = width_px,
                  .font = font,
                  .colour = colour,
                  .text = std::string(text)});
  return width_px;
}

void PicturePen::text_to(PictureFont font, float right, float y, Rgba colour,
                         std::string_view shown) {
  text(font, right - width(font, shown), y, colour, shown);
}

void PicturePen::cut_text(PictureFont font, float x, float y, float width_px, Rgba colour,
                          std::string_view shown) {
  const std::string safe = drawable(shown);
  const float size_px = size_of(font);
  if (measure_.fit(font, size_px, safe, width_px) >= safe.size()) {
    text(font, x, y, colour, safe);
    return;
  }
  const std::string_view ellipsis = "…";
  const float room_px = width_px - width(font, ellipsis);
  std::string part = safe.substr(0, measure_.fit(font, size_px, safe, room_px));
  while (part.ends_with(' ')) part.pop_back();
  if (!part.empty()) text(font, x, y, colour, part.append(ellipsis));
}

bool PicturePen::short_name(PictureFont font, float x, float y, float width_px, Rgba colour,
                            std::string_view name) {
  const std::string safe = drawable_name(name);
  const float size_px = size_of(font);
  const FitBytes fit = [&](std::string_view part, double room_px) {
    return measure_.fit(font, size_px, part, static_cast<float>(room_px));
  };
  if (fit(safe, static_cast<double>(width_px)) >= safe.size()) {
    text(font, x, y, colour, safe);
    return true;
  }
  const std::string_view ellipsis = "…";
  const ShortLabel cut =
      shortened(safe, telling_begin(safe), ellipsis, static_cast<double>(width(font, ellipsis)),
                static_cast<double>(width_px), fit);
  std::string whole(cut.lead);
  text(font, x, y, colour, whole.append(cut.text).append(cut.tail));
  return false;
}

}  // namespace cinderscope
