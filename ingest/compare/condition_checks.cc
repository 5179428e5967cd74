#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ingest/compare/conditions.h"

namespace cinderscope {

namespace {

using Metric = ConditionTerm::Metric;
using Which = ConditionTerm::Which;
using Op = ConditionTerm::Op;
using Limit = ConditionTerm::Limit;

Measure measure_of(Metric metric) {
  switch (metric) {
    case Metric::total:
      return Measure::total;
    case Metric::mean:
      return Measure::mean;
    case Metric::median:
      return Measure::median;
    case Metric::p90:
      return Measure::p90;
    case Metric::p99:
      return Measure::p99;
    case Metric::max:
      return Measure::max;
    case Metric::count:
      return Measure::count;
    default:
      return Measure::self;
  }
}

// What a term looks at, of one name or of the whole part.
struct Numbers {
  double a = 0, b = 0;
  std::optional<double> change, low, high;
  bool is_small = false;
};

class Checker {
 public:
  Checker(const ComparedSides& sides, const Comparison& comparison)
      : sides_(sides), comparison_(comparison) {}

  Status check(const Condition& condition, ConditionOutcome& out) {
    bool asks_for_any = false;
    std::vector<std::optional<std::uint32_t>> names;
    for (const ConditionTerm& term : condition.terms) {
      if (Status fits = can_be_checked(condition, term); !fits) return fits;
      asks_for_any = asks_for_any || term.which == Which::any || term.which == Which::expression;
      names.emplace_back();
      if (term.which != Which::name) continue;
      names.back() = find_name(sides_, term.name);
      if (names.back()) continue;
      if (std::ranges::find(out.missing, term.name) == out.missing.end()) {
        out.missing.push_back(term.name);
      }
    }
    const bool all_there =
        std::ranges::equal(condition.terms, names, [](const ConditionTerm& term, const auto& name) {
          return term.which != Which::name || name.has_value();
        });
    if (!all_there) return ok();
    if (!asks_for_any) {
      note_if_held(condition, names, std::nullopt, out);
      return ok();
    }
    for (const std::uint32_t row : rows_in_order(sides_, comparison_, RowSort::difference, ~0u)) {
      note_if_held(condition, names, row, out);
    }
    return ok();
  }

 private:
  Status can_be_checked(const Condition& condition, const ConditionTerm& term) const {
    const Measure measure = measure_of(term.metric);
    if (term.surely && comparison_.tested != Tested::runs) {
      return refused(fmt::format("The condition \"{}\" says surely: that takes three runs a side.",
                                 condition.text));
    }
    if (!term.is_presence() && is_duration(measure) && sides_.axes_differ()) {
      return refused(fmt::format(
          "The condition \"{}\" is about durations, but one side counts time, the other events.",
          condition.text));
    }
    return ok();
  }

  Numbers numbers_of(const ConditionTerm& term, std::optional<std::uint32_t> name) const {
    const Measure measure = measure_of(term.metric);
    const ComparedRow row =
        name ? row_of(sides_, comparison_, *name, measure) : part_row(sides_, comparison_, measure);
    Numbers out{.a = row.value[side_a].value,
                .b = row.value[side_b].value,
                .change = row.change,
                .low = row.low,
                .high = row.high,
                .is_small = row.verdict == Verdict::small};
    return out;
  }

  // `value` and `limit` get what was compared.
  static bool holds(const ConditionTerm& term, const Numbers& of, double& value, double& limit) {
    const double infinite = std::numeric_limits<double>::infinity();
    const bool upwards = term.op == Op::more || term.op == Op::more_or_equal;
    const double of_nothing = of.b > 0 ? infinite : 0;
    const double change = of.change.value_or(of.a > 0 ? of.b / of.a - 1 : of_nothing);
    if (term.surely) {
      const std::optional<double>& end = upwards ? of.low : of.high;
      if (!end) return false;
      const auto passes = [&](double at_change, double at_b) {
        return passes_limit(term, of.a, at_b, at_change, value, limit);
      };
      // The measured value, too: intervals are those of means of logarithms.
      return passes(*end, of.a * (1 + *end)) && passes(change, of.b);
    }
    return passes_limit(term, of.a, of.b, change, value, limit);
  }

  static bool passes_limit(const ConditionTerm& term, double a, double b, double change,
                           double& value, double& limit) {
    limit = term.limit;
    switch (term.limit_kind) {
      case Limit::change:
        value = change;
        break;
      case Limit::difference:
        value = b - a;
        break;
      case Limit::value:
        value = b;
        break;
      case Limit::ratio:
        value = 1 + change;
        break;
    }
    // Numbers that are read from decimals and quotients of whole numbers are off by rounding.
    const double near =
        std::isfinite(value) ? 1e-12 * std::max(std::abs(value), std::abs(limit)) : 0;
    switch (term.op) {
      case Op::more:
        return value > limit + near;
      case Op::less:
        return value < limit - near;
      case Op::more_or_equal:
        return value >= limit - near;
      case Op::less_or_equal:
        return value <= limit + near;
    }
    return false;
  }

  bool is_present_as(const ConditionTerm& term, std::uint32_t name) const {
    const ComparedName& of = sides_.names.names[name];
    const Side side = term.metric == Metric::added ? side_b : side_a;
    return of.in(side) && !of.in(other(side));
  }

  void note_if_held(const Condition& condition,
                    const std::vector<std::optional<std::uint32_t>>& names,
                    std::optional<std::uint32_t> any, ConditionOutcome& out) {
    FailedCondition failed{.condition = condition.text};
    for (std::size_t i = 0; i < condition.terms.size(); ++i) {
      const ConditionTerm& term = condition.terms[i];
      std::optional<std::uint32_t> name = names[i];
      const bool of_any = term.which == Which::any || term.which == Which::expression;
      if (of_any) name = any;
      if (term.which == Which::expression && !is_matched(term, *any)) return;
      // Cheap things first: there may be many names.
      if (term.is_presence() && !is_present_as(term, *name)) return;
      Numbers numbers = numbers_of(term, name);
      if (of_any && numbers.is_small) return;
      double value = 0, limit = 0;
      if (!term.is_presence() && !holds(term, numbers, value, limit)) return;
      if (i > 0) continue;  // what is told is the first one
      failed.a = numbers.a;
      failed.b = numbers.b;
      failed.value = value;
      failed.limit = limit;
      failed.change = numbers.change;
      failed.low = numbers.low;
      failed.high = numbers.high;
      failed.of_calls = term.metric == Metric::count;
      failed.name = name ? sides_.names.names[*name].text : "";
      failed.shows_name = of_any;
    }
    out.failed.push_back(std::move(failed));
  }

  bool is_matched(const ConditionTerm& term, std::uint32_t name) const {
    if (term.matches.holds(sides_.names.names[name].text)) return true;
    for (const Side side : {side_a, side_b}) {
      for (const std::uint32_t read : sides_.names.names[name].names[side]) {
        if (term.matches.holds(sides_.side_names[side][read])) return true;
      }
    }
    return false;
  }

  const ComparedSides& sides_;
  const Comparison& comparison_;
};

}  // namespace

Result<ConditionOutcome> check_conditions(const ComparedSides& sides, const Comparison& comparison,
                                          std::span<const Condition> conditions) {
  ConditionOutcome out;
  Checker checker(sides, comparison);
  for (const Condition& condition : conditions) {
    if (const Status checked = checker.check(condition, out); !checked) return checked.error();
  }
  return out;
}

}  // namespace cinderscope
