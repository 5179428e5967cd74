// Drawing primitives: filled rectangles, lines and text.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

inline bool contains(const Rect& rect, ImVec2 point) {
  return point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y &&
         point.y < rect.y + rect.height;
}

// A null font of a theme stands for ImGui's current font.
const ImFont& font_or_default(const ImFont* font);

enum class Align { left, right };

void fill(ImDrawList& list, const Rect& rect, Rgba colour);
void horizontal_line(ImDrawList& list, float x0, float x1, float y, Rgba colour);
void vertical_line(ImDrawList& list, float x, float y0, float y1, Rgba colour);

// Diagonal lines, `step_px` apart and `line_px` thick.
void hatch(ImDrawList& list, const Rect& rect, float step_px, float line_px, Rgba colour);

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
// Draws a name of a trace; one that is too long keeps its telling end.
void draw_short_name(ImDrawList& list, const ImFont& font, float x, float y, float width_px,
                     Rgba colour, std::string_view name);
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
