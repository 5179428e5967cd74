// Presses in the gutter: clicks on icons and heads, and rows that are dragged.
#include "render/views/timeline/gutter/gutter_drag.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/views/timeline/mouse.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

constexpr float kDragFromPx = 4;    // shorter moves are clicks
constexpr float kEdgePx = 26;       // a row held that near to an edge scrolls
constexpr double kScrollPxS = 900;  // at most

// The index of the dragged row, or rows().size() if it is not shown any more.
std::size_t row_of_drag(const TrackList& tracks, const RowDrag& drag) {
  const std::vector<TrackRow>& rows = tracks.rows();
  if (!drag.head) {
    const TrackRow* row = tracks.row_of(drag.track);
    return row == nullptr ? rows.size() : static_cast<std::size_t>(row - rows.data());
  }
  const bool there = drag.pressed.row < rows.size() &&
                     rows[drag.pressed.row].kind == TrackRow::Kind::head &&
                     rows[drag.pressed.row].group == drag.group;
  return there ? drag.pressed.row : rows.size();
}

double bottom_px(const TrackRow& row) {
  return row.y_px + row.height_px;
}

// The row moves to the one under the pointer: the rows between move up or down by one.
void find_place(const TrackList& tracks, double y_px, RowDrag& drag) {
  const std::vector<TrackRow>& rows = tracks.rows();
  drag.place.clear();
  const std::size_t own = row_of_drag(tracks, drag);
  if (own == rows.size()) return;
  const double most_px = std::max(tracks.height_px() - 0.5, 0.0);
  std::size_t over = tracks.row_at(std::clamp(y_px, 0.0, most_px));
  if (over >= rows.size()) return;
  TrackList::Span block{over, over + 1};
  if (drag.head) {
    block = tracks.group_rows(over);
    if (block.first == 0 || rows[over].group == drag.group) return;
    over = block.first - 1;  // its head
    block.first = over;
  } else {
    const TrackList::Span group = tracks.group_rows(own);
    over = std::clamp(over, group.first, group.end - 1);
    block = {over, over + 1};
    if (over == own) return;
  }
  const bool before = over < own;
  drag.line_px = before ? rows[block.first].y_px : bottom_px(rows[block.end - 1]);
  drag.place = fmt::format("{} {}", before ? "before" : "after",
                           drag.head ? head_argument(tracks.groups()[rows[over].group])
                                     : track_argument(rows[over].track));
}

}  // namespace

void Mouse::press_gutter(const MouseTargets& targets, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const TrackRow& row = targets.tracks.rows()[gutter_.row];
  const bool head = row.kind == TrackRow::Kind::head;
  const std::string argument =
      head ? head_argument(targets.tracks.groups()[row.group]) : track_argument(row.track);
  if (io.MouseClicked[1]) actions.push_back(RunCommand{"context-menu", argument});
  if (io.MouseClicked[1] || !io.MouseClicked[0]) return;
  drag_ = Drag::head;
  double_press_ = io.MouseDoubleClicked[0];
  scrolls_ = false;
  row_drag_ = {.pressed = gutter_,
               .argument = argument,
               .head = head,
               .pinned = targets.canvas.pinned,
               .track = row.track,
               .group = row.group};
}

void Mouse::drag_row(const MouseTargets& targets, Actions& actions) {
  const Canvas& canvas = targets.canvas;
  const ImVec2 point = ImGui::GetIO().MousePos;
  if (is_key_pressed(ImGuiKey_Escape)) {
    drag_ = Drag::none;
    return;
  }
  const bool grips =
      row_drag_.pressed.part == GutterPart::name || row_drag_.pressed.part == GutterPart::fold;
  if (drag_ == Drag::head && grips && !near(point.y, press_at_.y, canvas.px(kDragFromPx))) {
    drag_ = Drag::row;
  }
  if (drag_ != Drag::row) return;
  scroll_at_edges(targets, actions);
  const auto y_px = static_cast<double>((point.y - canvas.tracks.y) / canvas.theme.scale);
  find_place(targets.tracks, y_px + canvas.scroll_px, row_drag_);
}

// The nearer to the edge, the faster; goes on while the pointer is held still.
void Mouse::scroll_at_edges(const MouseTargets& targets, Actions& actions) {
  const Canvas& canvas = targets.canvas;
  const float y = ImGui::GetIO().MousePos.y, edge = canvas.px(kEdgePx);
  const float above = canvas.tracks.y + edge - y, below = y - (bottom_of(canvas.tracks) - edge);
  const float beyond = above > 0 ? -above : std::max(below, 0.0f);
  const double share = std::clamp(static_cast<double>(beyond / edge), -1.0, 1.0);
  const double seconds = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), 0.05);
  const std::size_t before = actions.size();
  scroll_to(targets, canvas.scroll_px + share * kScrollPxS * seconds, actions);
  scrolls_ = actions.size() > before;
}

void Mouse::release_row(const MouseTargets& targets, Actions& actions) {
  if (drag_ == Drag::head) {
    click_gutter(targets, actions);
  } else if (!row_drag_.place.empty()) {
    actions.push_back(RunCommand{"move-thread", row_drag_.argument + " " + row_drag_.place});
  }
}

// Ctrl adds to the selected threads or takes from them, Shift selects all up to here, a plain click
// gives the selection up.
void Mouse::select_threads(const MouseTargets& targets, const std::string& thread,
                           Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyShift) {
    actions.push_back(RunCommand{"select-threads", (io.KeyCtrl ? "toggle " : "to ") + thread});
  } else if (!targets.canvas.frame.state.selected_tracks.empty()) {
    actions.push_back(RunCommand{"select-threads", "none"});
  }
}

// As with buttons, the click on an icon counts when the button is released.
void Mouse::click_gutter(const MouseTargets& targets, Actions& actions) const {
  const RowDrag& on = row_drag_;
  const std::vector<TrackRow>& rows = targets.tracks.rows();
  const bool same = gutter_.over && gutter_.row == on.pressed.row && gutter_.row < rows.size() &&
                    gutter_.part == on.pressed.part;
  if (!same) return;
  const TrackRow& row = rows[gutter_.row];
  const bool solo = !targets.canvas.frame.state.solo_tracks.empty();
  switch (on.pressed.part) {
    case GutterPart::pin:
      actions.push_back(RunCommand{row.pinned ? "unpin" : "pin", on.argument});
      break;
    case GutterPart::threads:
      actions.push_back(
          RunCommand{row.tracks_collapsed ? "expand" : "collapse",
                     head_argument(targets.tracks.groups()[row.group], "threads of ")});
      break;
    case GutterPart::hide:
      actions.push_back(RunCommand{"hide", on.argument});
      break;
    case GutterPart::solo:
      actions.push_back(RunCommand{"solo", on.argument});
      break;
    case GutterPart::note:
      actions.push_back(solo ? RunCommand{"solo", "off"} : RunCommand{"show", on.argument});
      break;
    case GutterPart::fold:
    case GutterPart::name:
      if (!on.head && on.pressed.part == GutterPart::name &&
          (!double_press_ || ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift)) {
        return select_threads(targets, on.argument, actions);
      }
      // A thread's name folds it by a double click, since a press there begins to move it.
      if (on.head || on.pressed.part == GutterPart::fold || double_press_) {
        actions.push_back(RunCommand{row.collapsed ? "expand" : "collapse", on.argument});
      }
  }
}

void draw_row_drag(const Canvas& canvas, const TrackList& tracks, const RowDrag& drag) {
  const std::size_t own = row_of_drag(tracks, drag);
  if (own == tracks.rows().size()) return;
  const auto y_of = [&](double px) {
    return std::clamp(canvas.y_of(px - canvas.scroll_px), canvas.tracks.y - canvas.px(2),
                      bottom_of(canvas.tracks) + canvas.px(2));
  };
  const TrackRow& row = tracks.rows()[own];
  const float x = canvas.gutter.x, right = right_of(canvas.tracks);
  const float top = y_of(row.y_px), bottom = y_of(bottom_px(row));
  canvas.list.AddRectFilled({x, top}, {right, bottom}, with_alpha(canvas.colours.background, 150));
  if (drag.place.empty()) return;
  const float half = std::max(canvas.px(1), 1.0f);
  const float y =
      std::clamp(y_of(drag.line_px), canvas.tracks.y + half, bottom_of(canvas.tracks) - half);
  canvas.list.AddRectFilled({x, std::round(y - half)}, {right, std::round(y + half)},
                            canvas.colours.accent);
}

}  // namespace cinderscope
