#include "render/views/widgets/draw.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "render/text/label.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {

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

void hatch(ImDrawList& list, const Rect& rect, float step_px, float line_px, Rgba colour) {
  if (rect.width <= 0 || rect.height <= 0 || !(step_px > 0)) return;
  const float end_x = rect.x + rect.width, end_y = rect.y + rect.height;
  list.PushClipRect({rect.x, rect.y}, {end_x, end_y}, true);
  const auto lines = static_cast<int>(std::ceil((rect.width + rect.height) / step_px));
  for (int i = 0; i < lines; ++i) {
    const float x = rect.x - rect.height + step_px * static_cast<float>(i);
    list.AddLine({x, end_y}, {x + rect.height, rect.y}, colour, line_px);
  }
  list.PopClipRect();
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

void draw_short_name(ImDrawList& list, const ImFont& font, float x, float y, float width_px,
                     Rgba colour, std::string_view name) {
  const std::string safe = drawable_name(name);
  if (text_fit(font, safe, width_px) >= safe.size()) {
    draw_text(list, font, x, y, colour, safe);
    return;
  }
  const FitBytes fit = [&font](std::string_view text, double room_px) {
    return text_fit(font, text, static_cast<float>(room_px));
  };
  const std::string_view ellipsis = ellipsis_of(font);
  const ShortLabel cut = shortened(safe, telling_begin(safe), ellipsis,
                                   static_cast<double>(text_width(font, ellipsis)),
                                   static_cast<double>(width_px), fit);
  std::string whole(cut.lead);
  draw_text(list, font, x, y, colour, whole.append(cut.text).append(cut.tail));
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
