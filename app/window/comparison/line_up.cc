#include "app/window/comparison/line_up.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

constexpr std::array<std::string_view, 5> kWords = {"starts", "clock", "mark", "call", "hand"};

// Moved so that `from` becomes `to`, `factor` times as long: whole nanoseconds stay exact where
// nothing is stretched.
std::int64_t moved(std::int64_t time_ns, std::int64_t from_ns, std::int64_t to_ns, double factor) {
  const std::int64_t since_ns = saturating_difference(time_ns, from_ns);
  if (factor == 1) return saturating_sum(to_ns, since_ns);
  const double scaled = static_cast<double>(since_ns) * factor;
  constexpr double kLimit = 9.2e18;
  return saturating_sum(to_ns, static_cast<std::int64_t>(std::clamp(scaled, -kLimit, kLimit)));
}

Viewport moved(const Viewport& view, std::int64_t from_ns, std::int64_t to_ns, double factor) {
  Viewport out = view;
  if (factor == 1) {
    out.begin_ns = moved(view.begin_ns, from_ns, to_ns, 1);
    return out;
  }
  out.ns_per_px = view.ns_per_px * factor;
  const double since_ns = (static_cast<double>(saturating_difference(view.begin_ns, from_ns)) +
                           view.begin_fraction_ns) *
                          factor;
  const double whole_ns = std::floor(since_ns);
  out.begin_ns = moved(from_ns + static_cast<std::int64_t>(std::clamp(whole_ns, -9.2e18, 9.2e18)),
                       from_ns, to_ns, 1);
  out.begin_fraction_ns = std::clamp(since_ns - whole_ns, 0.0, std::nextafter(1.0, 0.0));
  return out;
}

}  // namespace

std::string_view word_of(LineUpHow how) {
  return kWords.at(static_cast<std::size_t>(how));
}

std::optional<LineUpHow> line_up_of_word(std::string_view word) {
  const auto found = std::ranges::find(kWords, word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<LineUpHow>(found - kWords.begin());
}

std::int64_t LineUp::shift_ns() const {
  return saturating_difference(b_ns, a_ns);
}

std::int64_t LineUp::to_b(std::int64_t a_time_ns) const {
  return moved(a_time_ns, a_ns, b_ns, 1 / stretch);
}

std::int64_t LineUp::to_a(std::int64_t b_time_ns) const {
  return moved(b_time_ns, b_ns, a_ns, stretch);
}

Viewport LineUp::view_of_b(const Viewport& a) const {
  return moved(a, a_ns, b_ns, 1 / stretch);
}

Viewport LineUp::view_of_a(const Viewport& b) const {
  return moved(b, b_ns, a_ns, stretch);
}

ViewportLimits joined(const ViewportLimits& of, const ViewportLimits& other) {
  return {std::min(of.begin_ns, other.begin_ns), std::max(of.end_ns, other.end_ns)};
}

}  // namespace cinderscope
