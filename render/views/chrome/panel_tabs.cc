#include "render/views/chrome/panel_tabs.h"

#include <algorithm>
#include <cmath>

#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

std::size_t draw_panel_tabs(const Theme& theme, const Rect& area, const std::vector<PanelTab>& tabs,
                            std::size_t active) {
  const Pen pen = pen_of(theme);
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
  float x = area.x + pen.px(10);
  std::size_t chosen = active;
  ImGui::PushID("panel tabs");
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    const PanelTab& tab = tabs[i];
    const float pad = pen.px(12), gap = pen.px(6);
    float width = text_width(pen.words, tab.label) + 2 * pad;
    if (!tab.count.empty()) width += gap + text_width(pen.numbers, tab.count);
    const Rect rect{std::round(x), area.y, std::round(width), area.height};
    const Press press = press_area(i, rect);
    if (press.clicked) chosen = i;
    const bool lit = i == active || press.hovered;
    float text_x = rect.x + pad;
    text_x += draw_text(pen.list, pen.words, text_x, middle_y(rect),
                        lit ? pen.colours.text : pen.colours.dim, tab.label);
    draw_text(pen.list, pen.numbers, text_x + gap, middle_y(rect), pen.colours.dim, tab.count);
    if (i == active) {
      const float line_px = std::max(std::round(pen.px(2)), 1.0f);
      fill(pen.list, {rect.x, bottom_of(rect) - line_px, rect.width, line_px}, pen.colours.accent);
    }
    x += rect.width + pen.px(2);
  }
  ImGui::PopID();
  return chosen;
}

}  // namespace cinderscope
