#include "render/views/chrome/toolbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kTabPx = 28;
constexpr float kTabPadPx = 12;
constexpr float kGapPx = 6;
constexpr float kClosePx = 20;
constexpr float kWidestTabPx = 320;
constexpr float kNarrowestTabPx = 72;
constexpr std::size_t kButtons = 7;
constexpr float kSearchPx = 380, kNarrowestSearchPx = 120;
constexpr float kSearchShare = 0.26f;  // of the bar

float buttons_begin(const Theme& theme, const Rect& area) {
  const float step = theme.px(kTabPx) + theme.px(kGapPx);
  return right_of(area) - theme.px(10) - step * static_cast<float>(kButtons) + theme.px(kGapPx);
}

void draw_tab(const Pen& pen, const ToolbarTab& tab, std::size_t i, bool active, const Rect& rect,
              const KeysOf& keys_of, Actions& actions) {
  const float radius = pen.px(6);
  const float close_px = active ? pen.px(kClosePx) : 0;
  const Rect label{rect.x, rect.y, rect.width - close_px, rect.height};
  const Press press = press_area(i, label);
  const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
  if (active) {
    pen.list.AddRectFilled(corner, opposite, pen.colours.raised, radius);
    pen.list.AddRect(corner, opposite, pen.colours.line, radius);
  }
  const Rgba colour = active || press.hovered ? pen.colours.text : pen.colours.dim;
  float x = rect.x + pen.px(kTabPadPx);
  if (tab.failed) {
    x += draw_text(pen.list, pen.icons, x, middle_y(rect), pen.colours.dim, icon::kWarning) +
         pen.px(kGapPx);
  }
  const float text_end = right_of(label) - pen.px(active ? 2 : kTabPadPx);
  draw_cut_text(pen.list, pen.words, x, middle_y(rect), text_end - x + 1, colour, tab.title);
  const std::string number = fmt::format("{}", i + 1);
  if (press.clicked && !active) run_command(actions, "tab", number);
  if (press.middle_clicked) run_command(actions, "close", number);
  if (press.right_clicked) run_command(actions, "context-menu", "tab " + number);
  if (press.hovered) hint(pen, tab.path.empty() ? tab.title : tab.path);
  if (!active) return;
  const Rect cross{right_of(label), rect.y, close_px, rect.height};
  const Press close = press_area("close", cross);
  draw_text(pen.list, pen.words, cross.x + pen.px(3), middle_y(cross),
            close.hovered ? pen.colours.text : pen.colours.dim, "×");
  if (close.hovered) hint(pen, with_keys("Close this trace", keys_of, "close"));
  if (close.clicked) run_command(actions, "close", number);
}

float natural_width(const Pen& pen, const ToolbarTab& tab, bool active) {
  // A title may be a megabyte long; only what fits the widest tab is measured.
  const std::string_view title = std::string_view(tab.title).substr(0, 200);
  float width = text_width(pen.words, title) + 2 * pen.px(kTabPadPx);
  if (tab.failed) width += text_width(pen.icons, icon::kWarning) + pen.px(kGapPx);
  if (active) width += pen.px(kClosePx - kTabPadPx + 6);
  return std::round(std::min(width, pen.px(kWidestTabPx)));
}

// Tabs keep their width while there is room, then all get narrower; if even that is not enough,
// only those around the active tab are shown.
void draw_tabs(const Pen& pen, const ToolbarFrame& frame, float x, float end_x, Actions& actions) {
  if (frame.tabs.empty()) return;
  const float gap = pen.px(kGapPx);
  const float room = std::max(end_x - x, 0.0f);
  const auto fit =
      static_cast<std::size_t>(std::max((room + gap) / (pen.px(kNarrowestTabPx) + gap), 1.0f));
  const std::size_t count = std::min(fit, frame.tabs.size());
  const std::size_t before = std::min(frame.active, frame.tabs.size() - 1);
  const std::size_t first =
      std::min(before > count / 2 ? before - count / 2 : 0, frame.tabs.size() - count);
  float wanted = -gap;
  for (std::size_t i = first; i < first + count; ++i) {
    wanted += natural_width(pen, frame.tabs[i], i == frame.active) + gap;
  }
  const float share =
      std::floor((room - gap * static_cast<float>(count - 1)) / static_cast<float>(count));
  const float y = std::round(frame.area.y + (frame.area.height - pen.px(kTabPx)) / 2);
  ImGui::PushID("tabs");
  for (std::size_t i = first; i < first + count; ++i) {
    const bool active = i == frame.active;
    float width = natural_width(pen, frame.tabs[i], active);
    if (wanted > room) width = std::min(width, share);
    draw_tab(pen, frame.tabs[i], i, active, {x, y, width, pen.px(kTabPx)}, frame.keys_of, actions);
    x += width + gap;
  }
  ImGui::PopID();
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
  if (end_x - x >= pen.px(kClosePx + kTabPadPx)) draw_tabs(pen, frame, x, end_x, actions);
  float button_x = std::round(buttons_begin(frame.theme, area));
  for (const Entry& entry : entries) {
    const Rect rect{button_x, std::round(area.y + (area.height - side) / 2), side, side};
    const std::string help = with_keys(entry.help, frame.keys_of, entry.command);
    const IconButton button{entry.icon, help, entry.enabled, entry.held};
    if (icon_button(pen, entry.command, rect, button)) run_command(actions, entry.command);
    button_x += step;
  }
  if (frame.progress >= 0) {
    const auto share = static_cast<float>(std::clamp(frame.progress, 0.0, 1.0));
    const float height = std::max(std::round(pen.px(2)), 1.0f);
    fill(pen.list, {area.x, bottom_of(area) - height, area.width * share, height},
         pen.colours.accent);
  }
}

}  // namespace cinderscope
