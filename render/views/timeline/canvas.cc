#include "render/views/timeline/canvas.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "render/text/label.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

constexpr float kOverviewPx = 54;
constexpr float kRulerPx = 26;
constexpr float kMinGutterPx = 120;

}  // namespace

Canvas canvas_of(const TimelineFrame& frame, ImDrawList& list) {
  const Theme& theme = frame.theme;
  const Rect& area = frame.area;
  const float most_px = std::max(std::floor(area.width * 0.7f), 1.0f);  // on whole pixels
  const float wanted_px = std::round(theme.px(std::max(frame.state.gutter_px, kMinGutterPx)));
  const float gutter_px = std::min(wanted_px, most_px);
  const float overview_px = std::min(std::round(theme.px(kOverviewPx)), area.height);
  const float ruler_px =
      std::min(std::round(theme.px(kRulerPx)), std::max(area.height - overview_px, 0.0f));
  const float tracks_px = std::max(area.height - overview_px - ruler_px, 0.0f);
  const float x = area.x + gutter_px;
  const float width = std::max(area.width - gutter_px, 1.0f);
  const float ruler_y = area.y + overview_px;
  const float tracks_y = ruler_y + ruler_px;
  return {.frame = frame,
          .theme = theme,
          .colours = theme.colours,
          .palette = palette_of(theme.kind, theme.colour_blind),
          .list = list,
          .overview_head = {area.x, area.y, gutter_px, overview_px},
          .ruler_head = {area.x, ruler_y, gutter_px, ruler_px},
          .gutter = {area.x, tracks_y, gutter_px, tracks_px},
          .overview = {x, area.y, width, overview_px},
          .ruler = {x, ruler_y, width, ruler_px},
          .tracks = {x, tracks_y, width, tracks_px},
          .scroll_px = frame.state.scroll_px};
}

Canvas part_of(const Canvas& whole, float top_px, float height_px, double scroll_px, bool pinned) {
  Canvas part = whole;
  for (Rect* rect : {&part.gutter, &part.tracks}) {
    rect->y += top_px;
    rect->height = height_px;
  }
  part.scroll_px = scroll_px;
  part.pinned = pinned;
  return part;
}

float Canvas::x_of(std::int64_t time_ns) const {
  // Far outside of the view the exact position does not matter, but floats must stay exact enough.
  const double x_px = std::clamp(frame.state.view.px_from_ns(time_ns), -1e6, 1e6);
  return tracks.x + static_cast<float>(x_px);
}

float Canvas::y_of(double y_at_scale_1) const {
  const double y_px = std::clamp(y_at_scale_1 * static_cast<double>(theme.scale), -1e6, 1e6);
  return tracks.y + static_cast<float>(std::round(y_px));
}

const ImFont& font_or_default(const ImFont* font) {
  return font != nullptr ? *font : *ImGui::GetFont();
}

void fill(ImDrawList& list, const Rect& rect, Rgba colour) {
  list.AddRectFilled({rect.x, rect.y}, {right_of(rect), bottom_of(rect)}, colour);
}

// Filled rectangles on whole pixels; lines of ImGui would be smoothed over two.
void horizontal_line(ImDrawList& list, float x0, float x1, float y, Rgba colour) {
  const float top = std::floor(y);
  list.AddRectFilled({x0, top}, {x1, top + 1}, colour);
}

void vertical_line(ImDrawList& list, float x, float y0, float y1, Rgba colour) {
  const float left = std::floor(x);
  list.AddRectFilled({left, y0}, {left + 1, y1}, colour);
}

std::string visual(std::string_view text) {
  return visual_text(text, static_cast<char32_t>(IM_UNICODE_CODEPOINT_MAX));
}

namespace {

float plain_width(const ImFont& font, std::string_view text) {
  return text_size(font, text).x;
}

// Arabic letters change their width with their neighbours, so each length has to be measured.
std::size_t visual_fit(const ImFont& font, std::string_view text, float width_px) {
  if (plain_width(font, visual(text)) <= width_px) return text.size();
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size(); at += character_bytes(text, at)) ends.push_back(at);
  const auto too_long = std::ranges::partition_point(ends, [&](std::size_t end) {
    return plain_width(font, visual(text.substr(0, end))) <= width_px;
  });
  return too_long == ends.begin() ? 0 : *std::prev(too_long);
}

}  // namespace

float text_width(const ImFont& font, std::string_view text) {
  return plain_width(font, needs_visual(text) ? std::string_view(visual(text)) : text);
}

std::size_t text_fit(const ImFont& font, std::string_view text, float width_px) {
  if (text.empty() || width_px <= 0) return 0;
  if (needs_visual(text)) return visual_fit(font, text, width_px);
  return bytes_within(font, text, width_px);
}

float draw_visual_text(ImDrawList& list, const ImFont& font, float x, float y, Rgba colour,
                       std::string_view text, Align align) {
  if (text.empty()) return 0;
  const float width = plain_width(font, text);
  const float left = std::round(align == Align::right ? x - width : x);
  add_text(list, font, {left, std::round(y - size_px(font) / 2)}, colour, text);
  return width;
}

float draw_text(ImDrawList& list, const ImFont& font, float x, float y, Rgba colour,
                std::string_view text, Align align) {
  if (!needs_visual(text)) return draw_visual_text(list, font, x, y, colour, text, align);
  return draw_visual_text(list, font, x, y, colour, visual(text), align);
}

void draw_cut_text(ImDrawList& list, const ImFont& font, float x, float y, float width_px,
                   Rgba colour, std::string_view text) {
  std::string safe;
  if (!is_drawable(text)) {
    safe = drawable(text);
    text = safe;
  }
  const std::size_t bytes = text_fit(font, text, width_px);
  if (bytes >= text.size()) {
    draw_text(list, font, x, y, colour, text);
    return;
  }
  const std::string_view ellipsis = ellipsis_of(font);
  const float room_px = width_px - text_width(font, ellipsis);
  std::string part(text.substr(0, text_fit(font, text, room_px)));
  // In one piece: where the text runs to the left, the ellipsis is at its left.
  if (!part.empty()) draw_text(list, font, x, y, colour, part.append(ellipsis));
}

std::string_view ellipsis_of(const ImFont& font) {
  return has_glyph(font, 0x2026) ? "…" : "...";
}

RectBatch::~RectBatch() {
  if (free_ > 0) list_.PrimUnreserve(6 * free_, 4 * free_);
}

void RectBatch::reserve() {
  constexpr int kAtOnce = 2048;
  list_.PrimReserve(6 * kAtOnce, 4 * kAtOnce);
  free_ = kAtOnce;
}

}  // namespace cinderscope
