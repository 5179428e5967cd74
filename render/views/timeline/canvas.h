// The canvas of one frame of the timeline: rectangles of its parts, colours and fonts.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "render/base/palette.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

inline bool contains(const Rect& rect, ImVec2 point) {
  return point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y &&
         point.y < rect.y + rect.height;
}
inline float right_of(const Rect& rect) {
  return rect.x + rect.width;
}
inline float bottom_of(const Rect& rect) {
  return rect.y + rect.height;
}

// Valid during one draw(). All rectangles are in window pixels.
struct Canvas {
  const TimelineFrame& frame;
  const Theme& theme;
  const ThemeColours& colours;
  const Palette& palette;
  ImDrawList& list;
  // Left column: overview head, ruler head, gutter. Right column: overview, ruler, tracks.
  Rect overview_head, ruler_head, gutter, overview, ruler, tracks;
  // How far the rows of gutter and tracks are scrolled, at scale 1, and whether they are the pinned
  // ones.
  double scroll_px = 0;
  bool pinned = false;

  float px(float at_scale_1) const { return theme.px(at_scale_1); }
  float x_of(std::int64_t time_ns) const;  // in the tracks' column; may lie outside of it
  float y_of(double y_at_scale_1) const;   // from the top of the rows, on whole pixels
};

Canvas canvas_of(const TimelineFrame& frame, ImDrawList& list);
// The canvas of a part of gutter and tracks that scrolls by itself, from `top_px` on, in window
// pixels.
Canvas part_of(const Canvas& whole, float top_px, float height_px, double scroll_px, bool pinned);

// A null font of a theme stands for ImGui's current font.
const ImFont& font_or_default(const ImFont* font);

enum class Align { left, right };

void fill(ImDrawList& list, const Rect& rect, Rgba colour);
void horizontal_line(ImDrawList& list, float x0, float x1, float y, Rgba colour);
void vertical_line(ImDrawList& list, float x, float y0, float y1, Rgba colour);

// The functions below take text in the order in which it is read, and bring it into the order of
// drawing (see visual_text.h) themselves.
float text_width(const ImFont& font, std::string_view text);
// How many bytes of `text` fit; ends between two characters.
std::size_t text_fit(const ImFont& font, std::string_view text, float width_px);
// `y` is the middle of the line. Returns the drawn width.
float draw_text(ImDrawList& list, const ImFont& font, float x, float y, Rgba colour,
                std::string_view text, Align align = Align::left);
// visual_text() with the characters that ImGui can draw; draw_visual_text() draws its result.
std::string visual(std::string_view text);
float draw_visual_text(ImDrawList& list, const ImFont& font, float x, float y, Rgba colour,
                       std::string_view text, Align align = Align::left);
// Draws any text of a trace: makes it drawable and cuts it with an ellipsis to fit.
void draw_cut_text(ImDrawList& list, const ImFont& font, float x, float y, float width_px,
                   Rgba colour, std::string_view text);
std::string_view ellipsis_of(const ImFont& font);

// Draws many filled rectangles without a call into the list for each.
class RectBatch {
 public:
  explicit RectBatch(ImDrawList& list) : list_(list) {}
  RectBatch(const RectBatch&) = delete;
  RectBatch& operator=(const RectBatch&) = delete;
  ~RectBatch();
  void add(float x0, float y0, float x1, float y1, Rgba colour) {
    if (free_ == 0) reserve();
    --free_;
    list_.PrimRect({x0, y0}, {x1, y1}, colour);
  }

 private:
  void reserve();
  ImDrawList& list_;
  int free_ = 0;
};

}  // namespace cinderscope
