#include "ingest/compare/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/time_units.h"

namespace cinderscope {

namespace {

using Metric = ConditionTerm::Metric;
using Which = ConditionTerm::Which;
using Op = ConditionTerm::Op;
using Limit = ConditionTerm::Limit;

constexpr std::array<std::string_view, 10> kMetrics = {"total", "self", "mean",  "median", "p90",
                                                       "p99",   "max",  "count", "new",    "gone"};

bool is_presence(Metric metric) {
  return metric == Metric::added || metric == Metric::gone;
}

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

// Letters of other alphabets are letters.
bool is_plain(char c) {
  return is_letter_or_digit(c) || c == '_' || c == ':' || c == '.' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Condition> condition() {
    Condition out{.text = std::string(text_), .terms = {}};
    while (true) {
      Result<ConditionTerm> term = one_term();
      if (!term) return term.error();
      out.terms.push_back(std::move(*term));
      if (at_ == text_.size()) return out;
      if (!take(" and ")) return wrong("expected \" and \" or the end");
    }
  }

 private:
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  Error wrong(std::string_view what) const {
    return {.code = ErrorCode::refused,
            .text = fmt::format("The condition \"{}\" cannot be read at character {}: {}.", text_,
                                at_ + 1, what),
            .expected = {},
            .offset_bytes = static_cast<std::int64_t>(at_)};
  }

  Result<ConditionTerm> one_term() {
    ConditionTerm term;
    std::size_t end = at_;
    while (end < text_.size() && is_letter_or_digit(text_[end])) ++end;
    const auto metric = std::ranges::find(kMetrics, text_.substr(at_, end - at_));
    if (metric == kMetrics.end()) {
      return wrong(fmt::format("expected one of {}", fmt::join(kMetrics, ", ")));
    }
    term.metric = static_cast<Metric>(metric - kMetrics.begin());
    const bool has_part = term.metric == Metric::self || term.metric == Metric::count ||
                          term.metric == Metric::total || is_presence(term.metric);
    at_ = end;
    if (take("(")) {
      if (const Status read = which(term); !read) return read.error();
      if (!take(")")) return wrong("expected )");
    } else if (is_presence(term.metric)) {
      term.which = Which::any;
    } else if (!has_part) {
      return wrong("expected ( and a name: only self, total and count are those of the whole part");
    }
    if (is_presence(term.metric)) return term;
    if (const Status read = limit(term); !read) return read.error();
    term.surely = take(" surely");
    return term;
  }

  Status which(ConditionTerm& term) {
    if (take("*")) {
      term.which = Which::any;
      return ok();
    }
    if (take("/")) return expression(term);
    term.which = Which::name;
    if (take("\"")) {
      while (at_ < text_.size() && text_[at_] != '"') {
        const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                             (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
        if (escaped) ++at_;
        term.name += text_[at_++];
      }
      return take("\"") ? ok() : Status(wrong("the quote is not closed"));
    }
    while (at_ < text_.size() && is_plain(text_[at_])) term.name += text_[at_++];
    if (term.name.empty()) return wrong("expected a name, /REGEX/ or *; other names are quoted");
    return ok();
  }

  Status expression(ConditionTerm& term) {
    term.which = Which::expression;
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '/') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        if (text_[at_ + 1] != '/') term.name += '\\';
        ++at_;
      }
      term.name += text_[at_++];
    }
    if (!take("/")) return wrong("the expression has no / at its end");
    Result<TextMatch> matches = TextMatch::matching(term.name, false);
    if (!matches) {
      at_ = first;
      std::string what = matches.error().text;
      while (what.ends_with('.')) what.pop_back();
      return wrong(what);
    }
    term.matches = std::move(*matches);
    return ok();
  }

  Status limit(ConditionTerm& term) {
    constexpr std::array<std::pair<std::string_view, Op>, 4> kOps = {
        {{">=", Op::more_or_equal}, {"<=", Op::less_or_equal}, {">", Op::more}, {"<", Op::less}}};
    const auto op = std::ranges::find_if(kOps, [&](const auto& of) { return take(of.first); });
    if (op == kOps.end()) return wrong("expected >, <, >= or <=");
    term.op = op->second;
    const std::size_t end = std::min(text_.find(' ', at_), text_.size());
    const std::string_view whole = text_.substr(at_, end - at_);
    if (!read_limit(whole, term)) {
      return wrong("expected a limit: +5%, -3ms, 20ms or x1.5, without a unit for counts");
    }
    term.limit_text = whole;
    at_ = end;
    return ok();
  }

  static std::optional<double> plain_number(std::string_view text) {
    const bool starts = !text.empty() && (is_digit(text[0]) || text[0] == '.');
    const auto number = starts ? parse_number<double>(text) : std::nullopt;
    return number && std::isfinite(*number) ? number : std::nullopt;
  }

  static bool read_limit(std::string_view text, ConditionTerm& term) {
    if (text.starts_with('x')) {
      const auto factor = plain_number(text.substr(1));
      if (!factor) return false;
      term.limit_kind = Limit::ratio;
      term.limit = *factor;
      return true;
    }
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    const double sign = text.starts_with('-') ? -1 : 1;
    if (is_signed) text.remove_prefix(1);
    if (text.ends_with('%')) {
      const auto percent = plain_number(text.substr(0, text.size() - 1));
      if (!percent) return false;
      term.limit_kind = Limit::change;
      term.limit = sign * *percent / 100;
      return true;
    }
    term.limit_kind = is_signed ? Limit::difference : Limit::value;
    if (const auto number = plain_number(text)) {
      term.limit = sign * *number;
      return true;
    }
    const bool starts = !text.empty() && (is_digit(text[0]) || text[0] == '.');
    const Result<Nanoseconds> length = nanoseconds_from(text);
    if (term.metric == Metric::count || !starts || !length) return false;
    term.limit = sign * static_cast<double>(length->floor_ns);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

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
      if (const Status fits = can_be_checked(condition, term); !fits) return fits;
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
    if (!is_presence(term.metric) && is_duration(measure) && sides_.axes_differ()) {
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
      if (is_presence(term.metric) && !is_present_as(term, *name)) return;
      Numbers numbers = numbers_of(term, name);
      if (of_any && numbers.is_small) return;
      double value = 0, limit = 0;
      if (!is_presence(term.metric) && !holds(term, numbers, value, limit)) return;
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

Result<Condition> parse_condition(std::string_view text) {
  return Parser(text).condition();
}

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
