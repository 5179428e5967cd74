#include "ingest/compare/comparison_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ingest/base/saturating.h"
#include "ingest/compare/run_test.h"

namespace cinderscope {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Of NameStatistics and SideNumbers, whose means are had in different ways.
template <class Numbers>
std::int64_t number_of(const Numbers& of, Measure measure, std::int64_t mean_ns) {
  switch (measure) {
    case Measure::self:
      return of.self_ns;
    case Measure::total:
      return of.total_ns;
    case Measure::mean:
      return mean_ns;
    case Measure::median:
      return of.median_ns;
    case Measure::p90:
      return of.p90_ns;
    case Measure::p99:
      return of.p99_ns;
    case Measure::count:
      return static_cast<std::int64_t>(of.count);
    case Measure::max:
      return of.max_ns;
  }
  return 0;
}

std::int64_t part_of(const MeasuredRun& run, Measure measure) {
  if (measure == Measure::count) return static_cast<std::int64_t>(run.calls);
  return measure == Measure::total ? run.busy_ns : run.self_ns;
}

// 1, 2 or 5 times a power of ten, the nearest one on a logarithmic axis.
double round_number(double value) {
  if (!(value > 0)) return 0;
  const double power = std::pow(10, std::floor(std::log10(value)));
  double nearest = power;
  for (const double step : {2.0, 5.0, 10.0}) {
    const double other = step * power;
    if (std::max(other / value, value / other) < std::max(nearest / value, value / nearest)) {
      nearest = other;
    }
  }
  return nearest;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

ComparedValue scaled_value(double value) {
  constexpr double kMost = 9e18;
  return {static_cast<std::int64_t>(std::llround(std::clamp(value, -kMost, kMost))), value};
}

ComparedValue whole_value(std::int64_t value) {
  return {value, static_cast<double>(value)};
}

void take_interval(ComparedRow& row, double low_log, double high_log) {
  row.low = std::expm1(low_log);
  row.high = std::expm1(high_log);
}

}  // namespace

ComparisonValues::ComparisonValues(const ComparedSides& sides, const Comparison& comparison)
    : sides_(sides), comparison_(comparison) {}

bool ComparisonValues::is_whole(Measure measure) const {
  const ComparisonOptions& options = comparison_.options;
  const bool scaled = options.scale != Scale::recorded && is_sum(measure);
  return !scaled && (options.b_divisor == 1 || !is_duration(measure));
}

double ComparisonValues::divisor(Side side, std::size_t run, Measure measure) const {
  const ComparisonOptions& options = comparison_.options;
  const ComparedRun& of = sides_.runs[side][run];
  double divisor = 1;
  if (options.scale == Scale::per && is_sum(measure) && comparison_.per) {
    divisor = static_cast<double>(of.numbers[*comparison_.per].count);
  } else if (options.scale == Scale::share && is_sum(measure)) {
    const bool of_calls = measure == Measure::count;
    // A share has no unit, so that it does not matter in which B counts.
    return std::max(
        1.0, of_calls ? static_cast<double>(of.run->calls) : static_cast<double>(of.run->self_ns));
  }
  return side == side_b && is_duration(measure) ? divisor * options.b_divisor : divisor;
}

std::vector<double> ComparisonValues::of_runs(Side side, std::uint32_t name,
                                              Measure measure) const {
  std::vector<double> values;
  for (std::size_t r = 0; r < sides_.runs[side].size(); ++r) {
    const NameStatistics& of = sides_.runs[side][r].numbers[name];
    if (of.count == 0) {
      values.push_back(is_sum(measure) ? 0 : kNaN);
    } else {
      values.push_back(static_cast<double>(number_of(of, measure, of.mean_ns())) /
                       divisor(side, r, measure));
    }
  }
  return values;
}

ComparedValue ComparisonValues::of_side(Side side, std::uint32_t name, Measure measure) const {
  if (is_whole(measure)) {
    const SideNumbers& of = side_numbers(sides_, side, name);
    return whole_value(number_of(of, measure, of.mean_ns));
  }
  const std::vector<double> values = of_runs(side, name, measure);
  if (measure != Measure::max) return scaled_value(mean_of(values));
  double most = 0;
  for (const double value : values) most = std::isnan(value) ? most : std::max(most, value);
  return scaled_value(most);
}

double ComparisonValues::mean_divisor(Measure measure) const {
  double sum = 0, count = 0;
  for (const Side side : {side_a, side_b}) {
    for (std::size_t r = 0; r < sides_.runs[side].size(); ++r, ++count) {
      sum += divisor(side, r, measure);
    }
  }
  return count == 0 ? 1 : sum / count;
}

// A thousandth of the larger side's self time, a microsecond at least; 10 calls; of durations of
// single calls a microsecond. Where nothing counts time a microsecond is one event.
double ComparisonValues::default_minimum(Measure measure) const {
  constexpr double kCalls = 10, kShare = 0.001;
  if (measure == Measure::count) return kCalls / mean_divisor(measure);
  const double least = sides_.axis() == TimeAxis::events ? 1 : 1000;
  if (!is_sum(measure)) return least;
  double largest = 0;
  for (const Side side : {side_a, side_b}) {
    std::vector<double> runs;
    for (std::size_t r = 0; r < sides_.runs[side].size(); ++r) {
      runs.push_back(static_cast<double>(sides_.runs[side][r].run->self_ns) /
                     divisor(side, r, measure));
    }
    largest = std::max(largest, mean_of(runs));
  }
  const double rounded = round_number(kShare * largest);
  return is_whole(measure) ? std::max(least, rounded) : rounded;
}

ComparedValue ComparisonValues::minimum(Measure measure) const {
  const ComparisonOptions& options = comparison_.options;
  // One that was chosen holds for what is in its unit.
  const bool same_unit = is_duration(measure) == is_duration(options.measure) &&
                         (options.scale == Scale::recorded || is_sum(measure));
  const double chosen = options.min && same_unit ? *options.min : default_minimum(measure);
  return scaled_value(chosen);
}

void ComparisonValues::find_change(ComparedRow& row, Measure measure) const {
  const ComparedValue &a = row.value[side_a], &b = row.value[side_b];
  row.difference = is_whole(measure) ? whole_value(saturating_difference(b.whole, a.whole))
                                     : scaled_value(b.value - a.value);
  if (!row.occurs[side_a] || !row.occurs[side_b]) return;
  if (a.value > 0) {
    row.change = b.value / a.value - 1;
  } else if (b.value == a.value) {
    row.change = 0;
  }
}

void ComparisonValues::test(ComparedRow& row, OfSides<std::vector<double>> runs) {
  for (auto& values : runs) {
    for (double& value : values) value = value > 0 ? std::log(value) : kNaN;
  }
  const auto test = welch_test(runs[side_a], runs[side_b]);
  if (!test) return;
  row.p = test->p;
  take_interval(row, test->low, test->high);
}

ComparedRow ComparisonValues::part(Measure measure) const {
  const Measure of_part = is_sum(measure) ? measure : Measure::self;
  ComparedRow row;
  OfSides<std::vector<double>> values;
  for (const Side side : {side_a, side_b}) {
    std::vector<std::int64_t> whole;
    for (std::size_t r = 0; r < sides_.runs[side].size(); ++r) {
      whole.push_back(part_of(*sides_.runs[side][r].run, of_part));
      values[side].push_back(static_cast<double>(whole.back()) / divisor(side, r, of_part));
      row.occurs[side] = true;
    }
    row.value[side] =
        is_whole(of_part) ? whole_value(mean_of_runs(whole)) : scaled_value(mean_of(values[side]));
  }
  find_change(row, of_part);
  if (comparison_.tested == Tested::runs) test(row, std::move(values));
  return row;
}

ComparedRow ComparisonValues::row(std::uint32_t name, Measure measure, double min) const {
  ComparedRow row;
  row.name = name;
  for (const Side side : {side_a, side_b}) {
    row.occurs[side] = sides_.names.names[name].in(side);
    row.value[side] = of_side(side, name, measure);
  }
  find_change(row, measure);
  if (!row.occurs[side_a] || !row.occurs[side_b]) return row;
  if (!sides_.chance.empty() && !std::isnan(sides_.chance[name])) row.chance = sides_.chance[name];
  if (std::max(row.value[side_a].value, row.value[side_b].value) < min) return row;
  if (comparison_.tested == Tested::runs) {
    test(row, {of_runs(side_a, name, measure), of_runs(side_b, name, measure)});
  } else if (!sides_.spread.empty() && measure != Measure::count && row.change &&
             *row.change > -1) {
    // How steady durations are, around the change of what is measured: that of self time or of
    // totals has the number of calls in it, too.
    const double half = sides_.spread[name], middle = std::log1p(*row.change);
    if (!std::isnan(half)) take_interval(row, middle - half, middle + half);
  }
  return row;
}

}  // namespace cinderscope
