#include "render/views/chrome/toolbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/chrome/tab_bar.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kTabPx = 28;
constexpr float kTabPadPx = 12;
constexpr float kGapPx = 6;
constexpr float kClosePx = 20;
constexpr float kArrowPx = 16;  // of the menu beside "open"
constexpr std::size_t kButtons = 7;
constexpr float kSearchPx = 380, kNarrowestSearchPx = 120;
constexpr float kSearchShare = 0.26f;  // of the bar

float buttons_begin(const Theme& theme, const Rect& area) {
  const float step = theme.px(kTabPx) + theme.px(kGapPx);
  return right_of(area) - theme.px(10 + kArrowPx) - step * static_cast<float>(kButtons) +
         theme.px(kGapPx);
}

}  // namespace

Rect search_field_area(const Theme& theme, const Rect& toolbar) {
  const float width =
      std::clamp(toolbar.width * kSearchShare, theme.px(kNarrowestSearchPx), theme.px(kSearchPx));
  const float height = theme.px(kTabPx);
  return {std::round(buttons_begin(theme, toolbar) - theme.px(10) - width),
          std::round(toolbar.y + (toolbar.height - height) / 2), std::round(width),
          std::round(height)};
}

void draw_toolbar(const ToolbarFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
  constexpr std::string_view kName = "cinderscope";
  float x = area.x + pen.px(12);
  const float end_x = search_field_area(frame.theme, area).x - pen.px(14);
  // The name is drawn whole or not at all.
  if (x + text_width(pen.title, kName) <= end_x) {
    x += draw_text(pen.list, pen.title, x, middle_y(area), pen.colours.accent, kName) + pen.px(14);
  }

  if (!frame.session.empty()) {
    const float most_px = std::min((end_x - x) * 0.3F, pen.px(200));
    if (most_px > pen.px(40)) {
      draw_cut_text(pen.list, pen.words, x, middle_y(area), most_px, pen.colours.dim,
                    frame.session);
      x += std::min(text_width(pen.words, frame.session), most_px) + pen.px(14);
    }
  }

  struct Entry {
    const char* command;
    std::string_view icon, help;
    bool enabled = true, held = false;
  };
  const std::array<Entry, kButtons> entries = {{
      {"open", icon::kOpen, "Open a trace"},
      {"back", icon::kBack, "Previous view", frame.can_go_back},
      {"forward", icon::kForward, "Next view", frame.can_go_forward},
      {"fit", icon::kFit, "Whole trace", frame.has_trace},
      {"time-unit", icon::kClock,
       frame.shows_ns ? "Time unit: nanoseconds" : "Time unit: automatic", frame.has_trace,
       frame.shows_ns},
      {"theme", icon::kTheme, "Dark or light"},
      {"help", icon::kHelp, "All keys"},
  }};
  const float side = pen.px(kTabPx), step = side + pen.px(kGapPx);
  if (end_x - x >= pen.px(kClosePx + kTabPadPx)) draw_tab_bar(pen, frame, x, end_x, actions);
  float button_x = std::round(buttons_begin(frame.theme, area));
  for (const Entry& entry : entries) {
    const Rect rect{button_x, std::round(area.y + (area.height - side) / 2), side, side};
    const std::string help = with_keys(entry.help, frame.keys_of, entry.command);
    const IconButton button{entry.icon, help, entry.enabled, entry.held};
    if (icon_button(pen, entry.command, rect, button)) run_command(actions, entry.command);
    button_x += step;
    if (&entry != &entries.front()) continue;
    const Rect arrow{right_of(rect), rect.y, pen.px(kArrowPx), rect.height};
    const IconButton menu{icon::kUnfolded, "Recent files, the sample"};
    if (icon_button(pen, "open menu", arrow, menu)) run_command(actions, "context-menu", "open");
    button_x += arrow.width;
  }
  if (frame.progress >= 0) {
    const auto share = static_cast<float>(std::clamp(frame.progress, 0.0, 1.0));
    const float height = std::max(std::round(pen.px(2)), 1.0f);
    fill(pen.list, {area.x, bottom_of(area) - height, area.width * share, height},
         pen.colours.accent);
  }
}

}  // namespace cinderscope
