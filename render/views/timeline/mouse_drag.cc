// Presses, drags and releases of Mouse; hovering and the wheel are in mouse.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/layout/hit.h"
#include "render/views/timeline/bookmarks.h"
#include "render/views/timeline/mouse.h"
#include "render/views/timeline/scroll_bar.h"

namespace cinderscope {
namespace {

constexpr float kDragFromPx = 4;   // shorter moves are clicks
constexpr float kEdgeReachPx = 4;  // of the grips of the overview's frame
constexpr float kLaneSnapPx = 6;
constexpr double kPauseS = 0.06;

TimeRange ordered(std::int64_t a, std::int64_t b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

std::optional<std::int64_t> slice_edge_near(const Timeline& timeline, const Layout& layout,
                                            const Viewport& view, double x_px, double reach_px) {
  std::optional<std::int64_t> nearest_ns;
  double nearest_px = reach_px;
  for (const DrawLine& line : layout.lines) {
    const auto begin = line.boxes.begin(), end = line.boxes.end();
    auto box = std::partition_point(begin, end, [&](const DrawBox& b) {
      return static_cast<double>(b.x_px + b.width_px) < x_px - reach_px;
    });
    for (; box != end && static_cast<double>(box->x_px) <= x_px + reach_px; ++box) {
      if (box->merged()) continue;
      const SliceRow* row = row_of(timeline, {line.track, line.block, line.row, box->first});
      if (line.instants || row == nullptr) continue;
      for (const std::int64_t edge_ns : {row->begin_ns(box->first), row->end_ns(box->first)}) {
        const double distance_px = std::abs(view.px_from_ns(edge_ns) - x_px);
        if (distance_px >= nearest_px) continue;
        nearest_px = distance_px;
        nearest_ns = edge_ns;
      }
    }
  }
  return nearest_ns;
}

std::optional<TimeRange> Mouse::zoom_range() const {
  return zoom_range_;
}

void Mouse::press(const MouseTargets& targets, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const Canvas& canvas = targets.canvas;
  const bool left = io.MouseClicked[0];
  const bool middle = io.MouseClicked[2];
  const bool right = io.MouseClicked[1];
  if (!left && !middle && !right) return;
  speed_px_s_ = 0;
  press_at_ = io.MousePos;
  press_view_ = canvas.frame.state.view;
  press_scroll_px_ = canvas.scroll_px;
  button_ = left ? 0 : 2;
  const bool on_ruler = contains(canvas.ruler, press_at_);
  const bool in_tracks = contains(canvas.tracks, press_at_) || on_ruler;
  const std::optional<TimeRange>& range = canvas.frame.state.range;
  const RangePart part = range ? range_part_at(canvas, *range, press_at_) : RangePart::none;
  if (left && press_at_.y >= canvas.ruler.y &&
      near(press_at_.x, right_of(canvas.gutter), canvas.px(3))) {
    drag_ = Drag::gutter;
  } else if (contains(canvas.overview, press_at_)) {
    if (left) press_overview(targets, actions);
    if (right) actions.push_back(RunCommand{"context-menu", "overview"});
  } else if (on_scroll_bar_) {
    if (left) press_scroll_bar(targets, actions);
  } else if (gutter_.over) {
    press_gutter(targets, actions);
  } else if (on_ruler_head_) {
    if (left) actions.push_back(RunCommand{"time-shown", {}});
  } else if (!in_tracks) {
    return;
  } else if (const auto mark = bookmark_at(canvas, press_at_)) {
    const std::string number = fmt::format("{}", *mark + 1);
    if (left) actions.push_back(RunCommand{"next-bookmark", number});
    if (right) actions.push_back(RunCommand{"context-menu", "bookmark " + number});
  } else if (right) {
    if (hit_.slice) actions.push_back(SelectSlice{hit_.slice});
    if (hit_.instant) actions.push_back(SelectInstant{hit_.instant});
    const char* target = on_ruler ? "ruler" : hit_.merged ? "merged" : hit_ ? "" : "empty";
    actions.push_back(RunCommand{"context-menu", target});
  } else if (middle) {
    drag_ = Drag::zoom;
  } else if (io.MouseDoubleClicked[0] && hit_) {
    zoom_to_hit(targets, actions);
  } else if (part != RangePart::none || io.KeyShift || on_ruler) {
    press_range(targets, part, actions);
  } else if (io.KeyAlt && canvas.frame.state.lane) {
    drag_ = Drag::lane;
    lane_moved_ = false;
  } else {
    drag_ = Drag::press;
  }
}

// A press beside the thumb moves the thumb to the pointer first.
void Mouse::press_scroll_bar(const MouseTargets& targets, Actions& actions) {
  const ScrollBar bar = scroll_bar_of(targets.canvas, targets.tracks);
  drag_ = Drag::scroll;
  if (contains(bar.thumb, press_at_)) return;
  const float middle = bar.thumb.y + bar.thumb.height / 2;
  press_scroll_px_ = std::clamp(press_scroll_px_ + scroll_from_thumb(bar, press_at_.y - middle),
                                0.0, bar.max_scroll_px);
  scroll_to(targets, press_scroll_px_, actions);
}

void Mouse::press_overview(const MouseTargets& targets, Actions& actions) {
  const Canvas& canvas = targets.canvas;
  const OverviewFrame frame = overview_frame(canvas, targets.overview);
  const float reach = canvas.px(kEdgeReachPx);
  // On a small frame the grips would leave no middle to hold it by.
  const bool wide = frame.x1 - frame.x0 > 3 * reach;
  if (wide && near(press_at_.x, frame.x0, reach)) {
    drag_ = Drag::overview_begin;
  } else if (wide && near(press_at_.x, frame.x1, reach)) {
    drag_ = Drag::overview_end;
  } else {
    drag_ = Drag::overview;
    const float middle = (frame.x0 + frame.x1) / 2;
    const bool inside = press_at_.x >= frame.x0 && press_at_.x <= frame.x1;
    frame_offset_px_ = inside ? static_cast<double>(press_at_.x - middle) : 0;
    if (!inside) drag_overview(targets, actions);
  }
}

void Mouse::drag_overview(const MouseTargets& targets, Actions& actions) const {
  const Canvas& canvas = targets.canvas;
  const auto x_px = static_cast<double>(ImGui::GetIO().MousePos.x - canvas.overview.x);
  const Viewport& whole = targets.overview.view();
  const Viewport& view = canvas.frame.state.view;
  if (drag_ == Drag::overview) {
    const std::int64_t middle_ns = whole.ns_from_px(x_px - frame_offset_px_);
    const double away_px = view.px_from_ns(middle_ns) - static_cast<double>(view.width_px) / 2;
    show_view(targets, panned(view, away_px), actions);
    return;
  }
  const std::int64_t edge_ns = whole.ns_from_px(x_px);
  const bool begin = drag_ == Drag::overview_begin;
  const TimeRange range =
      begin ? ordered(edge_ns, press_view_.end_ns()) : ordered(press_view_.begin_ns, edge_ns);
  show_view(targets, showing(range.begin_ns, range.end_ns, view.width_px), actions);
}

void Mouse::drag(const MouseTargets& targets, Actions& actions) {
  const ImVec2 point = ImGui::GetIO().MousePos;
  const Canvas& canvas = targets.canvas;
  const Viewport& view = canvas.frame.state.view;
  switch (drag_) {
    case Drag::none:
      break;
    case Drag::head:
    case Drag::row:
      drag_row(targets, actions);
      break;
    case Drag::press:
      if (!near(point.x, press_at_.x, canvas.px(kDragFromPx)) ||
          !near(point.y, press_at_.y, canvas.px(kDragFromPx))) {
        drag_ = Drag::pan;
        drag_pan(targets, actions);
      }
      break;
    case Drag::pan:
      drag_pan(targets, actions);
      break;
    case Drag::lane:
      if (ImGui::GetIO().MouseDelta.x != 0) {
        const double snap_px = ImGui::GetIO().KeyShift ? 0 : canvas.px(kLaneSnapPx);
        actions.push_back(ShiftLane{static_cast<double>(point.x - press_at_.x),
                                    tracks_x(canvas, press_at_), snap_px,
                                    !std::exchange(lane_moved_, true)});
      }
      break;
    case Drag::range:
    case Drag::range_move:
      drag_range(targets, actions);
      pan_at_edge(targets, actions);
      break;
    case Drag::zoom:
      zoom_range_ = ordered(view.ns_from_px(tracks_x(canvas, press_at_)),
                            view.ns_from_px(tracks_x(canvas, point)));
      break;
    case Drag::overview:
    case Drag::overview_begin:
    case Drag::overview_end:
      if (point.x != press_at_.x) drag_overview(targets, actions);
      break;
    case Drag::gutter: {
      const float width = (point.x - canvas.gutter.x) / canvas.theme.scale;
      const float most = canvas.frame.area.width / canvas.theme.scale * 0.7f;
      canvas.frame.state.gutter_px = std::clamp(width, 120.0f, std::max(most, 120.0f));
      break;
    }
    case Drag::scroll:
      scroll_to(targets,
                press_scroll_px_ +
                    scroll_from_thumb(scroll_bar_of(canvas, targets.tracks), point.y - press_at_.y),
                actions);
      break;
  }
}

void Mouse::drag_pan(const MouseTargets& targets, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto dx_px = static_cast<double>(io.MousePos.x - press_at_.x);
  const auto dy_px = static_cast<double>(io.MousePos.y - press_at_.y);
  show_view(targets, panned(press_view_, -dx_px), actions);
  scroll_to(targets, press_scroll_px_ - dy_px / static_cast<double>(targets.canvas.theme.scale),
            actions);
  if (io.DeltaTime > 0) {
    const auto now_px_s = static_cast<double>(-io.MouseDelta.x / io.DeltaTime);
    // The speed is smoothed over some frames; while the pointer rests it falls to zero.
    const double share = std::min(static_cast<double>(io.DeltaTime) / 0.05, 1.0);
    speed_px_s_ += (now_px_s - speed_px_s_) * share;
  }
}

void Mouse::release(const MouseTargets& targets, Actions& actions) {
  const Drag ended = drag_;
  const bool of_range = ended == Drag::range || ended == Drag::range_move;
  if (of_range) drag_range(targets, actions);
  if (ended == Drag::head || ended == Drag::row) release_row(targets, actions);
  drag_ = Drag::none;
  pans_at_edge_ = false;
  const ImVec2 point = ImGui::GetIO().MousePos;
  const bool moved = !near(point.x, press_at_.x, targets.canvas.px(kDragFromPx));
  if (ended == Drag::press) {
    click(targets, actions);
  } else if (ended == Drag::zoom && zoom_range_ && moved) {
    actions.push_back(range_command("zoom-to", zoom_range_->begin_ns, zoom_range_->end_ns));
  } else if (ended == Drag::range && makes_range_ && !range_moved_) {
    actions.push_back(SetRange{});  // a click where a drag would make a new range clears the range
  }
  // The pointer rested before the release: no coasting.
  const bool paused = static_cast<double>(ImGui::GetIO().DeltaTime) > kPauseS;
  if (ended != Drag::pan || paused) speed_px_s_ = 0;
  zoom_range_.reset();
}

void Mouse::click(const MouseTargets& targets, Actions& actions) const {
  if (curve_ != nullptr) {
    // To its other end: that which is not selected, else that which is farther away.
    const Flows& flows = *targets.canvas.frame.timeline.flows;
    const SliceRef from = flows.points.slice(curve_->link.from);
    const SliceRef to = flows.points.slice(curve_->link.to);
    const SliceRef& selected = targets.canvas.frame.state.selected;
    const float x = ImGui::GetIO().MousePos.x;
    const bool onward = from == selected || (to != selected && std::abs(x - curve_->to.x) >
                                                                   std::abs(x - curve_->from.x));
    actions.push_back(RevealSlice{onward ? to : from});
    return;
  }
  if (hit_.instant) {
    actions.push_back(SelectInstant{hit_.instant});
    return;
  }
  if (!hit_ && counter_ != kNoTrack) {
    const Canvas& canvas = targets.canvas;
    const double x_px = tracks_x(canvas, press_at_);
    actions.push_back(SelectCounter{{counter_, canvas.frame.state.view.ns_from_px(x_px)}});
    return;
  }
  SliceRef slice = hit_.slice;
  if (hit_.merged) {
    // Of many slices in one column the longest one matters most.
    const MergedSlices& merged = *hit_.merged;
    const auto total = total_of(targets.canvas.frame.timeline, merged);
    if (total) slice = {merged.track, merged.block, merged.row, total->longest};
  }
  actions.push_back(SelectSlice{slice});
}

void Mouse::zoom_to_hit(const MouseTargets& targets, Actions& actions) const {
  const Timeline& timeline = targets.canvas.frame.timeline;
  if (hit_.slice) {
    actions.push_back(SelectSlice{hit_.slice});
    actions.push_back(RunCommand{"zoom-selection", {}});
  } else if (hit_.merged) {
    const auto total = total_of(timeline, *hit_.merged);
    if (total) actions.push_back(range_command("zoom-to", total->begin_ns, total->end_ns));
  }
}

}  // namespace cinderscope
