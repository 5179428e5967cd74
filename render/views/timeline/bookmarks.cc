#include "render/views/timeline/bookmarks.h"

#include <algorithm>
#include <cmath>

#include "render/text/time_text.h"
#include "render/views/editor/code_editor.h"
#include "render/views/widgets/imgui_versions.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kFlagPx = 7;
constexpr float kReachPx = 5;
constexpr float kFieldPx = 260;
constexpr float kNoteLinePx = 20;
constexpr std::size_t kMostNoteLines = 8;  // at once

// Bookmarks are sorted by time, so those in the view are neighbours.
struct Visible {
  std::size_t first, last;
};
Visible visible(const Canvas& canvas) {
  const auto& marks = canvas.frame.state.bookmarks;
  const Viewport& view = canvas.frame.state.view;
  const auto first = std::ranges::lower_bound(marks, view.begin_ns, {}, &Bookmark::time_ns);
  const auto last = std::ranges::upper_bound(marks, view.end_ns(), {}, &Bookmark::time_ns);
  return {static_cast<std::size_t>(first - marks.begin()),
          static_cast<std::size_t>(std::max(first, last) - marks.begin())};
}

void draw_flag(const Canvas& canvas, float x, Rgba colour) {
  // The flag is drawn above the labels in the middle of the ruler.
  const float bottom = bottom_of(canvas.ruler), pole = std::floor(x);
  const float top = canvas.ruler.y + canvas.px(1);
  canvas.list.AddRectFilled({pole, top}, {pole + std::max(1.0F, std::round(canvas.px(1))), bottom},
                            colour);
  canvas.list.AddTriangleFilled({pole, top}, {pole + canvas.px(kFlagPx), top + canvas.px(3.5F)},
                                {pole, top + canvas.px(kFlagPx)}, colour);
}

}  // namespace

std::optional<std::size_t> bookmark_at(const Canvas& canvas, ImVec2 point) {
  if (!contains(canvas.ruler, point)) return std::nullopt;
  const auto& marks = canvas.frame.state.bookmarks;
  const Viewport& view = canvas.frame.state.view;
  // The flag is drawn to the right of its pole.
  const float x = point.x - canvas.px(kFlagPx) / 2;
  const std::int64_t time_ns = view.ns_from_px(static_cast<double>(x - canvas.ruler.x));
  const auto after = std::ranges::lower_bound(marks, time_ns, {}, &Bookmark::time_ns);
  std::optional<std::size_t> nearest;
  float nearest_px = canvas.px(kReachPx);
  const auto look = [&](std::size_t mark) {
    const float distance_px = std::abs(canvas.x_of(marks[mark].time_ns) - x);
    if (distance_px > nearest_px) return;
    nearest_px = distance_px;
    nearest = mark;
  };
  const auto at = static_cast<std::size_t>(after - marks.begin());
  if (at > 0) look(at - 1);
  if (at < marks.size()) look(at);
  return nearest;
}

void draw_bookmarks(const Canvas& canvas, std::optional<std::size_t> hovered) {
  const auto& marks = canvas.frame.state.bookmarks;
  if (marks.empty()) return;
  canvas.list.PushClipRect({canvas.ruler.x, canvas.ruler.y},
                           {right_of(canvas.ruler), bottom_of(canvas.tracks)}, true);
  const auto [first, last] = visible(canvas);
  float drawn_x = -1;  // thousands of bookmarks in one column are one flag
  for (std::size_t i = first; i < last; ++i) {
    const float x = std::floor(canvas.x_of(marks[i].time_ns));
    if (x == drawn_x) continue;
    drawn_x = x;
    draw_flag(canvas, x, canvas.colours.dim);
  }
  if (hovered && *hovered < marks.size()) {
    const float x = canvas.x_of(marks[*hovered].time_ns);
    vertical_line(canvas.list, x, canvas.tracks.y, bottom_of(canvas.tracks),
                  with_alpha(canvas.colours.text, 90));
    draw_flag(canvas, x, canvas.colours.text);
  }
  canvas.list.PopClipRect();
  if (!hovered || *hovered >= marks.size()) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const Bookmark& mark = marks[*hovered];
  const std::string place =
      timestamp_text(mark.time_ns, timestamp_format(canvas.frame.timeline, canvas.frame.state));
  hint(pen_of(canvas.theme), mark.note.empty() ? place : mark.note + "  ·  " + place);
}

bool draw_note_field(const Theme& theme, const Rect& area, float x, CodeEditor& note) {
  const Pen pen = pen_of(theme);
  const float width = std::min(pen.px(kFieldPx), area.width);
  const float line = std::max(std::round(pen.px(1)), 1.0F);
  const auto lines =
      static_cast<float>(std::min(note.plain_rows(theme, width - 2 * line), kMostNoteLines));
  const Rect field{std::round(std::clamp(x, area.x, std::max(area.x, right_of(area) - width))),
                   area.y, width,
                   std::max(area.height, std::round(pen.px(kNoteLinePx) * lines + pen.px(6)))};
  fill(pen.list, field, pen.colours.dim);  // its border
  ImGui::PushID("bookmark note");
  note.draw(
      {.theme = theme,
       .area = {field.x + line, field.y + line, field.width - 2 * line, field.height - 2 * line},
       .focused = true,
       .is_sql = false,
       .if_empty = "note, then Enter"});
  ImGui::PopID();
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !contains(field, ImGui::GetIO().MousePos);
}

}  // namespace cinderscope
