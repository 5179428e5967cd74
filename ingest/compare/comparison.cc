#include "ingest/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/compare/comparison_values.h"
#include "ingest/compare/run_test.h"

namespace cinderscope {

namespace {

constexpr double kAlpha = 0.05;

template <class Word, std::size_t kCount>
std::optional<Word> found_word(const std::array<std::string_view, kCount>& words,
                               std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Word>(found - words.begin());
}

constexpr std::array<std::string_view, 8> kMeasures = {"self", "total", "mean",  "median",
                                                       "p90",  "p99",   "count", "max"};
constexpr std::array<std::string_view, 3> kScales = {"recorded", "per", "share"};
constexpr std::array<std::string_view, kVerdicts> kVerdictWords = {"more", "less",    "same", "new",
                                                                   "gone", "unclear", "small"};
constexpr std::array<std::string_view, 3> kTestedWords = {"runs", "spread", "none"};
constexpr std::array<std::string_view, 6> kSorts = {"difference", "change", "a", "b", "name", "p"};

// How many times the larger one is the smaller one.
double larger_by_smaller(double ratio) {
  return ratio >= 1 ? ratio : 1 / ratio;
}

Verdict tested_verdict(const ComparedRow& row, const ComparisonOptions& options) {
  if (!row.low || !row.p_adjusted) return Verdict::unclear;
  if (*row.low > 0 && *row.p_adjusted <= kAlpha) return Verdict::more;
  if (*row.high < 0 && *row.p_adjusted <= kAlpha) return Verdict::less;
  const double widest = std::max(larger_by_smaller(1 + *row.low), larger_by_smaller(1 + *row.high));
  return widest <= 1 + options.same ? Verdict::same : Verdict::unclear;
}

Verdict untested_verdict(const ComparedRow& row, const ComparisonOptions& options) {
  if (!row.change) return Verdict::unclear;
  // Two recordings of the same calls differ by the rounding of their times, however unsteady the
  // calls are.
  constexpr double kRounding = 1.001;
  if (larger_by_smaller(1 + *row.change) <= kRounding) return Verdict::same;
  const double band = 1 + options.noise, ratio = 1 + *row.change;
  const double low = row.low ? 1 + *row.low : ratio, high = row.high ? 1 + *row.high : ratio;
  if (low > band) return Verdict::more;
  if (high < 1 / band) return Verdict::less;
  return low >= 1 / band && high <= band ? Verdict::same : Verdict::unclear;
}

void give_verdict(ComparedRow& row, const Comparison& comparison) {
  const bool is_small =
      std::max(row.value[side_a].value, row.value[side_b].value) < comparison.min.value;
  if (is_small) {
    row.verdict = Verdict::small;
  } else if (!row.occurs[side_a]) {
    row.verdict = Verdict::added;
  } else if (!row.occurs[side_b]) {
    row.verdict = Verdict::gone;
  } else if (comparison.tested == Tested::runs && row.p_adjusted) {
    row.verdict = tested_verdict(row, comparison.options);
  } else if (row.value[side_a].value == row.value[side_b].value) {
    row.verdict = Verdict::same;
  } else if (comparison.tested == Tested::runs) {
    row.verdict = Verdict::unclear;
  } else {
    row.verdict = untested_verdict(row, comparison.options);
  }
}

void adjust_p(std::vector<ComparedRow>& rows) {
  std::vector<double> p;
  for (const ComparedRow& row : rows) {
    if (row.p) p.push_back(*row.p);
  }
  const std::vector<double> adjusted = adjusted_p(p);
  std::size_t next = 0;
  for (ComparedRow& row : rows) {
    if (row.p) row.p_adjusted = adjusted[next++];
  }
}

Status check_options(const ComparedSides& sides, const ComparisonOptions& options,
                     std::optional<std::uint32_t>& per) {
  if (sides.axes_differ() && is_duration(options.measure)) {
    return refused("One side counts time, the other events: durations do not compare, calls do.");
  }
  if (options.scale == Scale::recorded) return ok();
  if (!is_sum(options.measure)) {
    return refused(fmt::format("{} is a duration of single calls: it has no other scale.",
                               word_of(options.measure)));
  }
  if (options.scale == Scale::share) return ok();
  per = find_name(sides, options.per);
  if (!per) return refused(fmt::format("No side has a call of \"{}\".", options.per));
  for (const Side side : {side_a, side_b}) {
    for (const ComparedRun& run : sides.runs[side]) {
      if (run.numbers[*per].count > 0) continue;
      return refused(
          fmt::format("{} has no call of \"{}\" to count by.", run.run->path, sides.labels[*per]));
    }
  }
  return ok();
}

}  // namespace

std::string_view word_of(Measure measure) {
  return kMeasures[static_cast<std::size_t>(measure)];
}
std::optional<Measure> measure_of_word(std::string_view word) {
  const auto found = found_word<Measure>(kMeasures, word);
  return found == Measure::max ? std::nullopt : found;
}
bool is_sum(Measure measure) {
  return measure == Measure::self || measure == Measure::total || measure == Measure::count;
}
bool is_duration(Measure measure) {
  return measure != Measure::count;
}
std::string_view word_of(Scale scale) {
  return kScales[static_cast<std::size_t>(scale)];
}
std::string_view word_of(Verdict verdict) {
  return kVerdictWords[static_cast<std::size_t>(verdict)];
}
std::optional<Verdict> verdict_of_word(std::string_view word) {
  return found_word<Verdict>(kVerdictWords, word);
}
std::string_view word_of(Tested tested) {
  return kTestedWords[static_cast<std::size_t>(tested)];
}
std::optional<RowSort> row_sort_of_word(std::string_view word) {
  return found_word<RowSort>(kSorts, word);
}

Result<Comparison> compare_sides(const ComparedSides& sides, const ComparisonOptions& options) {
  Comparison out;
  out.options = options;
  out.alpha = kAlpha;
  if (const Status fits = check_options(sides, options, out.per); !fits) return fits.error();
  const bool has_spread =
      options.measure != Measure::count &&
      std::ranges::any_of(sides.spread, [](double half) { return !std::isnan(half); });
  out.tested = sides.testable() ? Tested::runs : has_spread ? Tested::spread : Tested::none;
  const ComparisonValues values(sides, out);
  out.min = values.minimum(options.measure);
  const ComparedRow part = values.part(options.measure);
  out.value = part.value;
  out.difference = part.difference;
  out.change = part.change;
  const auto count = static_cast<std::uint32_t>(sides.names.names.size());
  out.rows.resize(count);
  constexpr std::uint32_t kRowsAtOnce = 256;
  parallel_for((count + kRowsAtOnce - 1) / kRowsAtOnce, core_count(), [&](std::size_t block) {
    const auto first = static_cast<std::uint32_t>(block) * kRowsAtOnce;
    for (std::uint32_t i = first; i < std::min(count, first + kRowsAtOnce); ++i) {
      out.rows[i] = values.row(i, options.measure, out.min.value);
    }
  });
  adjust_p(out.rows);
  for (ComparedRow& row : out.rows) {
    give_verdict(row, out);
    ++out.verdicts[static_cast<std::size_t>(row.verdict)];
  }
  out.in_both = static_cast<std::uint32_t>(sides.names.both_count);
  out.only_a = static_cast<std::uint32_t>(sides.names.only_a_count);
  out.only_b = static_cast<std::uint32_t>(sides.names.only_b_count);
  return out;
}

std::vector<double> run_values(const ComparedSides& sides, const Comparison& comparison, Side side,
                               std::uint32_t name) {
  return ComparisonValues(sides, comparison).of_runs(side, name, comparison.options.measure);
}

ComparedRow row_of(const ComparedSides& sides, const Comparison& comparison, std::uint32_t name,
                   Measure measure) {
  const ComparisonValues values(sides, comparison);
  ComparedRow row = values.row(name, measure, 0);
  if (std::max(row.value[side_a].value, row.value[side_b].value) < values.minimum(measure).value) {
    row.verdict = Verdict::small;
  }
  return row;
}

ComparedRow part_row(const ComparedSides& sides, const Comparison& comparison, Measure measure) {
  return ComparisonValues(sides, comparison).part(measure);
}

std::vector<std::uint32_t> rows_in_order(const ComparedSides& sides, const Comparison& comparison,
                                         RowSort sort, std::uint32_t wanted) {
  constexpr std::uint32_t kAllButSmall =
      ((1u << kVerdicts) - 1) & ~(1u << static_cast<unsigned>(Verdict::small));
  if (wanted == 0) wanted = kAllButSmall;
  const double infinite = std::numeric_limits<double>::infinity();
  // Ascending.
  const auto key = [&](const ComparedRow& row) -> double {
    switch (sort) {
      case RowSort::difference:
        return -std::abs(row.difference.value);
      case RowSort::change:
        if (!row.change) return row.occurs[side_a] == row.occurs[side_b] ? 0 : -infinite;
        return *row.change <= -1 ? -infinite : -std::abs(std::log1p(*row.change));
      case RowSort::a:
        return -row.value[side_a].value;
      case RowSort::b:
        return -row.value[side_b].value;
      case RowSort::p:
        return row.p.value_or(infinite);
      case RowSort::name:
        break;
    }
    return 0;
  };
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < comparison.rows.size(); ++i) {
    const ComparedRow& row = comparison.rows[i];
    if ((wanted >> static_cast<unsigned>(row.verdict) & 1) != 0) order.emplace_back(key(row), i);
  }
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return sides.names.names[a.second].text < sides.names.names[b.second].text;
  });
  std::vector<std::uint32_t> rows;
  rows.reserve(order.size());
  for (const auto& [value, row] : order) rows.push_back(row);
  return rows;
}

int change_step(double a, double b, double min) {
  constexpr std::array<double, 3> kSteps = {1.02, 1.10, 1.50};
  if (std::max(a, b) < min || a == b) return 0;
  if (std::min(a, b) <= 0) return a < b ? 3 : -3;
  const double ratio = larger_by_smaller(b / a);
  const auto step = std::ranges::count_if(kSteps, [ratio](double of) { return ratio > of; });
  return static_cast<int>(a < b ? step : -step);
}

}  // namespace cinderscope
