#include "ingest/compare/side_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kLeastOuterCalls = 10;

// By compared name: it has so many outer calls in every run.
std::vector<bool> outer_names(const ComparedSides& sides) {
  std::vector<bool> outer(sides.names.names.size(), true);
  std::vector<std::uint64_t> calls;
  for (const auto& runs : sides.runs) {
    for (const ComparedRun& run : runs) {
      calls.assign(outer.size(), 0);
      for (std::size_t i = 0; i < run.compared_of.size(); ++i) {
        calls[run.compared_of[i]] += run.run->names[i].outer_calls;
      }
      for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i] < kLeastOuterCalls) outer[i] = false;
      }
    }
  }
  return outer;
}

// Nearly all durations differ by the same factor: a unit is wrong.
void find_unit_factor(std::vector<double>& ratios, ComparisonWarnings& out) {
  constexpr std::size_t kLeastNames = 20;
  constexpr double kLeastFactor = 10, kNear = 1.02, kNearlyAll = 0.9;
  if (ratios.size() < kLeastNames) return;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  const double median = *middle, factor = std::max(median, 1 / median);
  const auto near = std::ranges::count_if(
      ratios, [median](double ratio) { return std::max(ratio / median, median / ratio) <= kNear; });
  if (factor < kLeastFactor / kNear ||
      static_cast<double>(near) < kNearlyAll * static_cast<double>(ratios.size())) {
    return;
  }
  // Most units are powers of ten apart, and durations are rounded.
  const double power = std::pow(10, std::round(std::log10(factor)));
  out.unit_factor = std::max(factor / power, power / factor) <= kNear ? power : factor;
  out.unit_in_b = median > 1;
}

double mean_calls(const std::vector<ComparedRun>& runs) {
  double calls = 0;
  for (const ComparedRun& run : runs) calls += static_cast<double>(run.run->calls);
  return runs.empty() ? 0 : calls / static_cast<double>(runs.size());
}

}  // namespace

void find_warnings(ComparedSides& sides, const std::atomic<bool>& cancelled) {
  constexpr double kManyCalls = 1.5;
  ComparisonWarnings& out = sides.warnings;
  out = {};
  out.time_against_events = sides.axes_differ();
  const ComparedNames& names = sides.names;
  out.nothing_in_common = names.both_count == 0 && names.only_a_count > 0 && names.only_b_count > 0;
  const std::vector<bool> is_outer = outer_names(sides);
  std::vector<double> ratios;
  std::int64_t largest_ns = -1;
  for (std::uint32_t name = 0; name < names.names.size(); ++name) {
    if (cancelled.load(std::memory_order_relaxed)) return;
    if (!names.names[name].in_both()) continue;
    const SideNumbers a = side_numbers(sides, side_a, name), b = side_numbers(sides, side_b, name);
    if (a.mean_ns > 0 && b.mean_ns > 0) {
      ratios.push_back(static_cast<double>(b.mean_ns) / static_cast<double>(a.mean_ns));
    }
    const std::int64_t total_ns = saturating_sum(a.total_ns, b.total_ns);
    if (is_outer[name] && total_ns > largest_ns) {
      largest_ns = total_ns;
      out.per = name;
    }
  }
  if (!out.time_against_events) find_unit_factor(ratios, out);
  const double calls_a = mean_calls(sides.runs[side_a]), calls_b = mean_calls(sides.runs[side_b]);
  if (calls_a > 0 && calls_b > 0) {
    const double factor = std::max(calls_a / calls_b, calls_b / calls_a);
    if (factor >= kManyCalls) out.calls_factor = factor;
    out.more_calls_in_b = calls_b > calls_a;
  }
}

}  // namespace cinderscope
