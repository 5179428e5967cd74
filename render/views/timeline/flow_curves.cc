#include "render/views/timeline/flow_curves.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace cinderscope {
namespace {

// The position of a point in window pixels; none if its track is not shown.
std::optional<ImVec2> place_of(const FlowParts& parts, const FlowPoint& point) {
  if (point.track == kNoTrack) return std::nullopt;
  const TrackRow* pinned = parts.pinned.row_of(point.track);
  const TrackRow* row = pinned != nullptr ? pinned : parts.tracks.row_of(point.track);
  if (row == nullptr) return std::nullopt;
  const Canvas& canvas = pinned != nullptr ? parts.pinned_canvas : parts.canvas;
  const std::uint32_t shown = std::min(point.row, std::max(row->shown_depth, 1u) - 1);
  const double y_px = row->y_px + kTrackPadPx + kRowStepPx * shown + kRowPx / 2;
  // Curves far outside are cut, so that their number of segments stays small; with pinned tracks
  // they end at the border between both, for beyond it lies another thread.
  float top = -3000.0f, bottom = 8000.0f;
  if (pinned != nullptr) bottom = bottom_of(canvas.tracks);
  if (pinned == nullptr && !parts.pinned.rows().empty()) top = canvas.tracks.y;
  const float y = std::clamp(canvas.y_of(y_px - canvas.scroll_px), top, std::max(top, bottom));
  const float x = std::clamp(canvas.x_of(point.time_ns), canvas.tracks.x - 3000,
                             right_of(canvas.tracks) + 3000);
  return ImVec2{x, y};
}

// A curve starts at the edge of its box that faces the other end, so that it does not cross the
// name.
void draw_curve(const Canvas& canvas, ImVec2 from, ImVec2 to) {
  const float half = canvas.px(static_cast<float>(kRowPx / 2));
  if (std::abs(to.y - from.y) > half) from.y += to.y > from.y ? half : -half;
  const float bend = std::clamp((to.x - from.x) / 2, canvas.px(16), canvas.px(160));
  canvas.list.AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to,
                             canvas.colours.accent, canvas.px(1.5f));
  const float side = canvas.px(4);
  canvas.list.AddTriangleFilled({to.x, to.y}, {to.x - side * 1.4f, to.y - side},
                                {to.x - side * 1.4f, to.y + side}, canvas.colours.accent);
}

void draw_flow(const FlowParts& parts, const Flow& flow) {
  const Canvas& canvas = parts.canvas;
  constexpr std::ptrdiff_t kMaxCurves = 2000;  // more would be one patch of colour
  const Flows& flows = *canvas.frame.timeline.flows;
  if (flow.first_point >= flows.points.size()) return;
  const auto begin = flows.points.begin() + static_cast<std::ptrdiff_t>(flow.first_point);
  const auto there = static_cast<std::uint64_t>(flows.points.end() - begin);
  const auto end =
      begin + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(flow.point_count, there));
  const Viewport& view = canvas.frame.state.view;
  const auto earlier = [](const FlowPoint& point, std::int64_t t) { return point.time_ns < t; };
  auto first = std::lower_bound(begin, end, view.begin_ns, earlier);
  if (first != begin) --first;
  auto last = std::lower_bound(first, end, view.end_ns(), earlier);
  if (last != end) ++last;
  const std::ptrdiff_t step = std::max<std::ptrdiff_t>((last - first) / kMaxCurves, 1);
  for (; last - first > step; first += step) {
    const auto from = place_of(parts, *first);
    const auto to = place_of(parts, *(first + step));
    if (from && to) draw_curve(canvas, *from, *to);
  }
  if (last - first > 1) {
    const auto from = place_of(parts, *first);
    const auto to = place_of(parts, *(last - 1));
    if (from && to) draw_curve(canvas, *from, *to);
  }
}

}  // namespace

void draw_flows(const FlowParts& parts) {
  const Canvas& canvas = parts.canvas;
  const SliceRef& selected = canvas.frame.state.selected;
  if (!selected || index(selected.block) != 0) return;
  const Flows& flows = *canvas.frame.timeline.flows;
  const auto key = std::tuple(selected.track, selected.row, selected.slice);
  const auto key_of = [&](std::uint64_t i) {
    const FlowPoint& point = flows.points[i];
    return std::tuple(point.track, point.row, point.slice);
  };
  auto bound = std::lower_bound(flows.by_slice.begin(), flows.by_slice.end(), key,
                                [&](std::uint64_t i, const auto& k) { return key_of(i) < k; });
  constexpr int kMaxFlows = 200;  // of one slice; more would hide what they connect
  std::uint32_t last_flow = UINT32_MAX;
  for (int drawn = 0; bound != flows.by_slice.end() && key_of(*bound) == key && drawn < kMaxFlows;
       ++bound) {
    const std::uint32_t flow = flows.point_flow[*bound];
    if (flow == last_flow || flow >= flows.flows.size()) continue;
    last_flow = flow;
    ++drawn;
    draw_flow(parts, flows.flows[flow]);
  }
}

}  // namespace cinderscope
