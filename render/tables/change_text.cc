#include "render/tables/change_text.h"

#include <fmt/format.h>

#include <cmath>

#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr double kMostPercent = 9.99;

std::string percent(double change) {
  return fmt::format("{}{:.1f}", change > 0 ? "+" : change < 0 ? "-" : "", std::abs(change) * 100);
}

}  // namespace

std::string change_text(double change) {
  if (!std::isfinite(change)) return "–";
  if (change > kMostPercent) return fmt::format("×{:.3g}", change + 1);
  return percent(change) + " %";
}

std::string interval_text(double low, double high) {
  if (low > kMostPercent || high > kMostPercent) {
    return fmt::format("×{:.3g} … ×{:.3g}", low + 1, high + 1);
  }
  return percent(low) + " … " + percent(high) + " %";
}

ValueUnit value_unit(const Comparison& comparison, TimeAxis axis) {
  return {.axis = axis,
          .is_count = comparison.options.measure == Measure::count,
          .is_share = comparison.options.scale == Scale::share};
}

std::string value_text(double value, const ValueUnit& unit) {
  if (unit.is_share) return fmt::format("{:.2f} %", value * 100);
  if (unit.is_count) {
    const bool whole = value >= 0 && value == std::floor(value) && value < 1e15;
    return whole ? count_text(static_cast<std::uint64_t>(value)) : number_text(value);
  }
  return duration_text(value, unit.axis);
}

std::string difference_text(double difference, const ValueUnit& unit) {
  if (difference == 0) return value_text(0, unit);
  return (difference > 0 ? "+" : "-") + value_text(std::abs(difference), unit);
}

}  // namespace cinderscope
