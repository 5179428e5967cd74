#include "render/views/timeline/flow_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ingest/base/saturating.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostCurves = 4000;  // the nearest; more would be one patch of colour
constexpr float kWidthPx = 1.5f, kLitWidthPx = 2.5f, kHeadPx = 6, kReachPx = 4;
constexpr float kLeastHeadPx = 2;
constexpr int kSteps = 24;  // of a curve, where it is hit

// So many curves in view have their full strength; of more each one is fainter.
constexpr std::size_t kStrongCurves = 16;
constexpr float kFaintest = 0.06f;

struct Place {
  ImVec2 at;
  float width_px = 0;  // of the slice
};

// The place of a point; none if its track is not shown.
std::optional<Place> place_of(const FlowParts& parts, const FlowPoint& point) {
  if (point.track == kNoTrack) return std::nullopt;
  const TrackRow* pinned = parts.pinned.row_of(point.track);
  const TrackRow* row = pinned != nullptr ? pinned : parts.tracks.row_of(point.track);
  if (row == nullptr) return std::nullopt;
  const Canvas& canvas = pinned != nullptr ? parts.pinned_canvas : parts.canvas;
  const std::uint32_t shown = std::min(point.row, std::max(row->shown_depth, 1u) - 1);
  const double y_px = row->y_px + row->first_px + kRowStepPx * shown + kRowPx / 2;
  // Curves far outside are cut, so that their number of segments stays small; with pinned tracks
  // they end at the border between both, for beyond it lies another thread.
  float top = -3000.0f, bottom = 8000.0f;
  if (pinned != nullptr) bottom = bottom_of(canvas.tracks);
  if (pinned == nullptr && !parts.pinned.rows().empty()) top = canvas.tracks.y;
  const float y = std::clamp(canvas.y_of(y_px - canvas.scroll_px), top, std::max(top, bottom));
  const float x = std::clamp(canvas.x_of(point.time_ns), canvas.tracks.x - 3000,
                             right_of(canvas.tracks) + 3000);
  Place place{{x, y}, 0};
  const Timeline& timeline = canvas.frame.timeline;
  if (block_of(timeline, slice_of(point)) != nullptr) {
    const std::int64_t duration_ns = slice_at(timeline, slice_of(point)).duration_ns;
    place.width_px =
        static_cast<float>(static_cast<double>(duration_ns) / canvas.frame.state.view.ns_per_px);
  }
  return place;
}

ImVec2 point_at(const FlowCurve& curve, float t) {
  const float u = 1 - t;
  const float a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * curve.from.x + b * (curve.from.x + curve.bend) + c * (curve.to.x - curve.bend) +
              d * curve.to.x,
          (a + b) * curve.from.y + (c + d) * curve.to.y};
}

float squared_distance(ImVec2 point, ImVec2 a, ImVec2 b) {
  const ImVec2 line{b.x - a.x, b.y - a.y}, to{point.x - a.x, point.y - a.y};
  const float length = line.x * line.x + line.y * line.y;
  const float t =
      length > 0 ? std::clamp((to.x * line.x + to.y * line.y) / length, 0.0f, 1.0f) : 0.0f;
  const float dx = to.x - t * line.x, dy = to.y - t * line.y;
  return dx * dx + dy * dy;
}

std::string slice_label(const Timeline& timeline, const SliceRef& slice) {
  if (block_of(timeline, slice) == nullptr) return "a call on disk";
  return drawable(display_label(timeline, slice_at(timeline, slice).name));
}

}  // namespace

void FlowCurves::update(const FlowParts& parts) {
  curves_.clear();
  const TimelineFrame& frame = parts.canvas.frame;
  const SliceRef& selected = frame.state.selected;
  const Flows& flows = *frame.timeline.flows;
  if (!selected || flows.by_slice.empty()) return;
  if (selected_ != selected || version_ != frame.version || flows_ != &flows) {
    selected_ = selected;
    version_ = frame.version;
    flows_ = &flows;
    chain_ = flow_chain(flows, selected, kMostCurves);
  }
  for (const FlowLink& link : chain_.links) add(parts, link);
}

void FlowCurves::add(const FlowParts& parts, const FlowLink& link) {
  const Canvas& canvas = parts.canvas;
  const Timeline& timeline = canvas.frame.timeline;
  const FlowPoint begin = flow_point(timeline, link.from), end = flow_point(timeline, link.to);
  const Viewport& view = canvas.frame.state.view;
  // Most of a long chain lies outside.
  const std::int64_t first_ns = std::min(begin.time_ns, end.time_ns);
  const std::int64_t last_ns = std::max(begin.time_ns, end.time_ns);
  const auto around_ns = static_cast<std::int64_t>(canvas.px(200) * view.ns_per_px);
  if (last_ns < saturating_difference(view.begin_ns, around_ns) ||
      first_ns > saturating_sum(view.end_ns(), around_ns)) {
    return;
  }
  const std::optional<Place> from = place_of(parts, begin), to = place_of(parts, end);
  if (!from || !to) return;
  FlowCurve& curve = curves_.emplace_back();
  curve.link = link;
  curve.from = from->at;
  curve.to = to->at;
  curve.direct = slice_of(begin) == selected_ || slice_of(end) == selected_;
  // It leaves the edge of its box that faces the other end, so that it does not cross the name.
  const float half = canvas.px(static_cast<float>(kRowPx / 2));
  const float down = curve.to.y - curve.from.y;
  if (std::abs(down) > half) curve.from.y += down > 0 ? half : -half;
  curve.bend = std::clamp((curve.to.x - curve.from.x) / 2, canvas.px(16), canvas.px(160));
  const float head_px = std::min(canvas.px(kHeadPx), to->width_px);
  if (head_px >= canvas.px(kLeastHeadPx)) curve.head_px = head_px;
}

const FlowCurve* FlowCurves::at(const Canvas& canvas, ImVec2 point) const {
  const float reach = canvas.px(kReachPx);
  float nearest = reach * reach;
  const FlowCurve* found = nullptr;
  for (const FlowCurve& curve : curves_) {
    const float wide = curve.bend + reach;
    const bool beside = point.x < std::min(curve.from.x, curve.to.x) - wide ||
                        point.x > std::max(curve.from.x, curve.to.x) + wide ||
                        point.y < std::min(curve.from.y, curve.to.y) - reach ||
                        point.y > std::max(curve.from.y, curve.to.y) + reach;
    if (beside) continue;
    ImVec2 before = curve.from;
    for (int i = 1; i <= kSteps; ++i) {
      const ImVec2 next = point_at(curve, static_cast<float>(i) / kSteps);
      const float distance = squared_distance(point, before, next);
      before = next;
      if (distance >= nearest) continue;
      nearest = distance;
      found = &curve;
    }
  }
  return found;
}

void FlowCurves::draw(const Canvas& canvas, Layer layer) const {
  const std::optional<std::uint32_t>& lit = canvas.frame.state.lit_flow;
  const bool above = layer == Layer::above_boxes;
  // Many begin at one place, where they lie over each other: so they fade faster than they grow.
  const auto count = static_cast<float>(std::max(curves_.size(), kStrongCurves));
  const float crowd =
      std::max(std::pow(static_cast<float>(kStrongCurves) / count, 0.75f), kFaintest);
  const auto draw_one = [&](const FlowCurve& curve, bool is_lit) {
    float strength = is_lit ? 1.0f : crowd * (curve.direct ? 1.0f : 0.6f);
    if (!is_lit && lit) strength *= 0.5f;
    const auto colour = [&](float share) {
      return with_alpha(canvas.colours.accent,
                        static_cast<std::uint8_t>(std::lround(255 * strength * share)));
    };
    const float over_boxes = is_lit ? 0.75f : 0.4f;
    canvas.list.AddBezierCubic(curve.from, {curve.from.x + curve.bend, curve.from.y},
                               {curve.to.x - curve.bend, curve.to.y}, curve.to,
                               colour(above ? over_boxes : 1),
                               canvas.px(is_lit ? kLitWidthPx : kWidthPx));
    if (!above || curve.head_px == 0) return;
    const float half = curve.head_px * 0.7f;
    canvas.list.AddTriangleFilled(curve.to, {curve.to.x - curve.head_px, curve.to.y - half},
                                  {curve.to.x - curve.head_px, curve.to.y + half}, colour(1));
  };
  const auto is_lit = [&lit](const FlowCurve& curve) { return lit && *lit == curve.link.flow; };
  for (const FlowCurve& curve : curves_) {
    if (!is_lit(curve)) draw_one(curve, false);
  }
  for (const FlowCurve& curve : curves_) {
    if (is_lit(curve)) draw_one(curve, true);
  }
}

std::string flow_text(const Timeline& timeline, const FlowLink& link) {
  const Flows& flows = *timeline.flows;
  const SliceRef from = flows.points.slice(link.from), to = flows.points.slice(link.to);
  const std::string_view name = timeline.text(flows.flows[link.flow].name);
  const std::int64_t length_ns = saturating_difference(flow_point(timeline, link.to).time_ns,
                                                       flow_point(timeline, link.from).time_ns);
  return fmt::format("{} from {} to {}, {}",
                     name.empty() ? "flow" : fmt::format("flow \"{}\"", drawable(name)),
                     slice_label(timeline, from), slice_label(timeline, to),
                     length_text(length_ns, timeline.axis));
}

}  // namespace cinderscope
