// Drags of the selected range: a new range, an edge, the whole range.
#include <algorithm>
#include <cmath>

#include "ingest/base/saturating.h"
#include "render/views/timeline/mouse.h"

namespace cinderscope {
namespace {

constexpr double kSnapPx = 7;
constexpr float kRangeFromPx = 2;  // shorter drags make no range
// How fast the view pans while a drag is held beyond its edge.
constexpr float kEdgePx = 2;
constexpr double kSlowestPanPxS = 80, kFastestPanPxS = 4000, kPanPxSPerPx = 12;

double reach_px_of(const Canvas& canvas) {
  return ImGui::GetIO().KeyAlt ? 0 : kSnapPx * static_cast<double>(canvas.theme.scale);
}

std::int64_t snapped_ns(const MouseTargets& targets, double x_px, double reach_px) {
  const TimelineFrame& frame = targets.canvas.frame;
  const Viewport& view = frame.state.view;
  return slice_edge_near(frame.timeline, targets.layout, view, x_px, reach_px)
      .value_or(view.ns_from_px(x_px));
}

}  // namespace

void Mouse::press_range(const MouseTargets& targets, RangePart part, Actions& actions) {
  const Canvas& canvas = targets.canvas;
  range_before_ = canvas.frame.state.range;
  makes_range_ = range_moved_ = false;
  switch (part) {
    case RangePart::cross:
      actions.push_back(SetRange{});
      return;
    case RangePart::bar:
      if (ImGui::GetIO().MouseDoubleClicked[0]) {
        actions.push_back(range_command("zoom-to", range_before_->begin_ns, range_before_->end_ns));
        return;
      }
      drag_ = Drag::range_move;
      fixed_ns_ = press_view_.ns_from_px(tracks_x(canvas, press_at_));
      return;
    case RangePart::begin:
      fixed_ns_ = range_before_->end_ns;
      break;
    case RangePart::end:
      fixed_ns_ = range_before_->begin_ns;
      break;
    case RangePart::none:
      makes_range_ = true;
      fixed_ns_ = snapped_ns(targets, tracks_x(canvas, press_at_), reach_px_of(canvas));
  }
  drag_ = Drag::range;
}

// Moves the range with the pointer; an end near a slice's edge snaps to it.
TimeRange Mouse::moved_range(const MouseTargets& targets, double x_px, double reach_px) const {
  const TimelineFrame& frame = targets.canvas.frame;
  const Viewport& view = frame.state.view;
  const std::int64_t length_ns =
      saturating_difference(range_before_->end_ns, range_before_->begin_ns);
  const std::int64_t by_ns = saturating_difference(view.ns_from_px(x_px), fixed_ns_);
  const std::int64_t begin_ns = saturating_sum(range_before_->begin_ns, by_ns);
  const std::int64_t end_ns = saturating_sum(begin_ns, length_ns);
  const auto edge_near = [&](std::int64_t time_ns) {
    return slice_edge_near(frame.timeline, targets.layout, view, view.px_from_ns(time_ns),
                           reach_px);
  };
  if (const auto edge_ns = edge_near(begin_ns)) {
    return {*edge_ns, saturating_sum(*edge_ns, length_ns)};
  }
  if (const auto edge_ns = edge_near(end_ns)) {
    return {saturating_difference(*edge_ns, length_ns), *edge_ns};
  }
  return {begin_ns, end_ns};
}

void Mouse::drag_range(const MouseTargets& targets, Actions& actions) {
  const Canvas& canvas = targets.canvas;
  const ImVec2 point = ImGui::GetIO().MousePos;
  if (!range_moved_ && near(point.x, press_at_.x, kRangeFromPx)) return;
  range_moved_ = true;
  const double reach_px = reach_px_of(canvas);
  const double x_px =
      std::clamp(tracks_x(canvas, point), 0.0, static_cast<double>(canvas.tracks.width));
  TimeRange range;
  if (drag_ == Drag::range_move) {
    range = moved_range(targets, x_px, reach_px);
  } else {
    const std::int64_t edge_ns = snapped_ns(targets, x_px, reach_px);
    range = {std::min(fixed_ns_, edge_ns), std::max(fixed_ns_, edge_ns)};
  }
  if (range.begin_ns >= range.end_ns) return;  // both ends snapped to one edge
  const std::optional<TimeRange>& old = canvas.frame.state.range;
  if (!old || old->begin_ns != range.begin_ns || old->end_ns != range.end_ns) {
    actions.push_back(SetRange{range});
  }
}

void Mouse::pan_at_edge(const MouseTargets& targets, Actions& actions) {
  pans_at_edge_ = false;
  if (!range_moved_) return;
  const Canvas& canvas = targets.canvas;
  const float x = ImGui::GetIO().MousePos.x, edge = canvas.px(kEdgePx);
  const float left = canvas.tracks.x + edge, right = right_of(canvas.tracks) - edge;
  const float beyond = x > right ? x - right : std::min(x - left, 0.0f);
  if (beyond == 0) return;
  const double px_s = std::clamp(std::abs(static_cast<double>(beyond)) * kPanPxSPerPx,
                                 kSlowestPanPxS, kFastestPanPxS);
  const double passed_s = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), 0.05);
  const std::size_t before = actions.size();
  show_view(targets, panned(canvas.frame.state.view, (beyond > 0 ? px_s : -px_s) * passed_s),
            actions);
  pans_at_edge_ = actions.size() > before;  // not at the end of the trace
}

bool Mouse::cancel_drag(TimelineState& state) {
  if (drag_ == Drag::zoom) {
    zoom_range_.reset();
  } else if (drag_ == Drag::range || drag_ == Drag::range_move) {
    state.range = range_before_;
  } else {
    return false;
  }
  drag_ = Drag::none;
  pans_at_edge_ = false;
  return true;
}

}  // namespace cinderscope
