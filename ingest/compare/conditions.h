// Conditions for CI: 'total(RenderFrame)>+5% surely'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/compare/comparison.h"
#include "ingest/search/text_match.h"

namespace cinderscope {

struct ConditionTerm {
  enum class Metric : std::uint8_t { total, self, mean, median, p90, p99, max, count, added, gone };
  enum class Which : std::uint8_t { part, name, expression, any };
  enum class Op : std::uint8_t { more, less, more_or_equal, less_or_equal };
  enum class Limit : std::uint8_t { change, difference, value, ratio };
  Metric metric = Metric::self;
  Which which = Which::part;
  std::string name;  // or the expression's text
  TextMatch matches;
  Op op = Op::more;
  Limit limit_kind = Limit::change;
  double limit = 0;  // change and ratio: a part of 1; else in the unit of values
  bool surely = false;
  std::string limit_text;

  bool is_presence() const { return metric == Metric::added || metric == Metric::gone; }
};
struct Condition {
  std::string text;
  std::vector<ConditionTerm> terms;  // all of them, of the same name where they ask for any
};
// An Error has the offset of what is wrong within the text.
Result<Condition> parse_condition(std::string_view text);

struct FailedCondition {
  std::string condition;
  std::string name;         // empty: the whole part
  bool shows_name = false;  // the condition does not say which name it is
  bool of_calls = false;    // numbers are calls, not times
  double a = 0, b = 0;
  std::optional<double> change, low, high;
  double value = 0, limit = 0;  // what was compared with what; all numbers are the first term's
};
// An Error: `surely` where nothing is tested, or a metric that the sides do not have (refused). A
// name that is on neither side is `missing`.
struct ConditionOutcome {
  std::vector<FailedCondition> failed;
  std::vector<std::string> missing;
};
Result<ConditionOutcome> check_conditions(const ComparedSides& sides, const Comparison& comparison,
                                          std::span<const Condition> conditions);

}  // namespace cinderscope
