#include "render/start_view.h"

#include <algorithm>
#include <cmath>

#include "render/key_table_view.h"
#include "render/widgets_view.h"

namespace cinderscope {
namespace {

// As many groups side by side as there is room for, along the lower edge.
void draw_keys(const Pen& pen, const StartFrame& frame, float highest_y) {
  const std::vector<KeyGroup> groups = key_groups(frame.keys);
  if (groups.empty()) return;
  const float width = pen.px(296), gap = pen.px(16);
  const float room = frame.area.width - pen.px(32);
  const auto fit = static_cast<std::size_t>(std::max((room + gap) / (width + gap), 1.0f));
  const std::size_t count = std::min(groups.size(), fit);
  float height = 0;
  for (std::size_t i = 0; i < count; ++i) {
    height = std::max(height, key_group_height(pen, groups[i]));
  }
  const float y = bottom_of(frame.area) - pen.px(24) - height;
  if (y < highest_y) return;
  const auto columns = static_cast<float>(count);
  const float all_px = columns * (width + gap) - gap;
  float x = std::round(frame.area.x + (frame.area.width - all_px) / 2);
  const Rgba faint = with_alpha(pen.colours.dim, 170);
  for (std::size_t i = 0; i < count; ++i) {
    draw_key_group(pen, groups[i], {x, y, width, height},
                   {pen.px(112), pen.colours.dim, pen.colours.dim, faint});
    x += width + gap;
  }
}

}  // namespace

void draw_start(const StartFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.background);
  const float centre_x = frame.area.x + frame.area.width / 2;
  float y = std::round(frame.area.y + frame.area.height * (frame.keys.empty() ? 0.45f : 0.32f));
  constexpr std::string_view kTitle = "Drop a trace here";
  draw_text(pen.list, pen.title, centre_x - text_width(pen.title, kTitle) / 2, y, pen.colours.text,
            kTitle);
  y += pen.px(26);
  constexpr std::string_view kFormats = "Google JSON or .spall, also compressed";
  draw_text(pen.list, pen.words, centre_x - text_width(pen.words, kFormats) / 2, y, pen.colours.dim,
            kFormats);
  y += pen.px(28);
  constexpr std::string_view kOpen = "Open…", kSample = "Open the sample";
  const bool has_sample = !frame.sample_path.empty();
  const float gap = pen.px(8);
  float width = text_button_width(pen, kOpen);
  if (has_sample) width += gap + text_button_width(pen, kSample);
  float x = centre_x - width / 2;
  if (text_button(pen, "open", x, y, kOpen)) actions.push_back(RunCommand{"open", {}});
  x += text_button_width(pen, kOpen) + gap;
  if (has_sample && text_button(pen, "sample", x, y, kSample)) {
    actions.push_back(RunCommand{"open", frame.sample_path});
  }
  draw_keys(pen, frame, y + pen.px(52));
}

}  // namespace cinderscope
