#include "render/base/viewport.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

// Times are whole nanoseconds or events: on an axis of events a call may last one of them, and its
// name is to be read.
constexpr double kMinNsPerPx = 1.0 / 400;
constexpr double kMarginShare = 0.2;
constexpr double kAroundShare = 1.08;  // of a call: 4 % beside it show that it begins and ends here
constexpr double kMaxSpanShare = 1.5;

std::int64_t saturated(double whole_ns) {
  // 2^63 is a double, INT64_MAX is not: compare with the former.
  constexpr double kLimit = 9223372036854775808.0;
  if (!(whole_ns < kLimit)) return INT64_MAX;
  if (whole_ns < -kLimit) return INT64_MIN;
  return static_cast<std::int64_t>(whole_ns);
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

// Adds up to 2^64 ns, twice as much as an integer of its own could hold.
std::int64_t shifted(std::int64_t begin_ns, double whole_ns) {
  const double half_ns = std::floor(whole_ns / 2);
  return saturating_sum(saturating_sum(begin_ns, saturated(half_ns)),
                        saturated(whole_ns - half_ns));
}

double difference_ns(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return static_cast<double>(difference);
  return static_cast<double>(a) - static_cast<double>(b);
}

// The whole nanoseconds go to the integer, so that the fraction keeps all its digits.
Viewport moved(Viewport view, double by_ns) {
  if (!std::isfinite(by_ns)) return view;
  const double offset_ns = view.begin_fraction_ns + by_ns;
  const double whole_ns = std::floor(offset_ns);
  view.begin_ns = shifted(view.begin_ns, whole_ns);
  view.begin_fraction_ns = std::clamp(offset_ns - whole_ns, 0.0, std::nextafter(1.0, 0.0));
  return view;
}

double offset_of(const Viewport& view, std::int64_t base_ns) {
  return difference_ns(view.begin_ns, base_ns) + view.begin_fraction_ns;
}

}  // namespace

std::int64_t Viewport::ns_from_px(double x_px) const {
  return shifted(begin_ns, std::floor(x_px * ns_per_px + begin_fraction_ns));
}

Viewport showing(std::int64_t begin_ns, std::int64_t end_ns, float width_px) {
  Viewport view;
  view.begin_ns = begin_ns;
  view.width_px = std::max(width_px, 1.0f);
  const double span_ns = std::max(difference_ns(end_ns, begin_ns), 0.0);
  view.ns_per_px = std::max(span_ns / static_cast<double>(view.width_px), kMinNsPerPx);
  return moved(view, (span_ns - view.span_ns()) / 2);
}

Viewport fitted(const ViewportLimits& limits, float width_px) {
  Viewport view = showing(limits.begin_ns, limits.end_ns, width_px);
  return zoomed(view, 1.02, static_cast<double>(view.width_px) / 2);
}

Viewport zoomed(const Viewport& view, double factor, double around_px) {
  Viewport result = view;
  if (!(factor > 0) || !std::isfinite(view.ns_per_px * factor)) return result;
  result.ns_per_px = std::max(view.ns_per_px * factor, kMinNsPerPx);
  return moved(result, around_px * (view.ns_per_px - result.ns_per_px));
}

Viewport panned(const Viewport& view, double dx_px) {
  return moved(view, dx_px * view.ns_per_px);
}

Viewport resized(const Viewport& view, float width_px) {
  Viewport result = view;
  result.width_px = std::max(width_px, 1.0f);
  result.ns_per_px = view.span_ns() / static_cast<double>(result.width_px);
  return result;
}

Viewport clamped(const Viewport& view, const ViewportLimits& limits) {
  const double length_ns = std::max(difference_ns(limits.end_ns, limits.begin_ns), 1.0);
  const auto width_px = static_cast<double>(view.width_px);
  const double max_ns_per_px = std::max(length_ns * kMaxSpanShare / width_px, kMinNsPerPx);
  Viewport result = view;
  const double ns_per_px = std::clamp(view.ns_per_px, kMinNsPerPx, max_ns_per_px);
  if (ns_per_px != view.ns_per_px) {
    result = moved(result, (view.ns_per_px - ns_per_px) * width_px / 2);
    result.ns_per_px = ns_per_px;
  }
  const double lowest_ns = -kMarginShare * length_ns;
  const double highest_ns = (1 + kMarginShare) * length_ns - result.span_ns();
  const double offset_ns = offset_of(result, limits.begin_ns);
  // If both margins cannot be kept, the trace stands in the middle.
  const double wanted_ns = lowest_ns > highest_ns ? (lowest_ns + highest_ns) / 2
                                                  : std::clamp(offset_ns, lowest_ns, highest_ns);
  if (wanted_ns == offset_ns) return result;
  result.begin_ns = limits.begin_ns;
  result.begin_fraction_ns = 0;
  return moved(result, wanted_ns);
}

ViewportLimits reach_of(const ViewportLimits& limits) {
  const double length_ns = std::max(difference_ns(limits.end_ns, limits.begin_ns), 1.0);
  const double margin_ns = std::ceil(kMarginShare * length_ns);
  return {shifted(limits.begin_ns, -margin_ns), shifted(limits.end_ns, margin_ns)};
}

Viewport around(std::int64_t begin_ns, std::int64_t end_ns, float width_px) {
  const Viewport view = showing(begin_ns, end_ns, width_px);
  return zoomed(view, kAroundShare, static_cast<double>(view.width_px) / 2);
}

Viewport mixed(const Viewport& from, const Viewport& to, double t) {
  if (!(t > 0)) return from;
  if (t >= 1) return to;
  Viewport result = from;
  result.width_px = to.width_px;
  result.ns_per_px = from.ns_per_px * std::pow(to.ns_per_px / from.ns_per_px, t);
  // Moving the edge in step with the scale, not with t, keeps the point that both views share in
  // its place on screen.
  const double change = to.ns_per_px - from.ns_per_px;
  const bool same_scale = std::abs(change) < 1e-9 * from.ns_per_px;
  const double share = same_scale ? t : (result.ns_per_px - from.ns_per_px) / change;
  const double distance_ns =
      difference_ns(to.begin_ns, from.begin_ns) + to.begin_fraction_ns - from.begin_fraction_ns;
  return moved(result, share * distance_ns);
}

}  // namespace cinderscope
