#include "ingest/sql/grouped/grouped_expressions.h"

#include <algorithm>
#include <array>

#include "ingest/base/ascii.h"
#include "ingest/sql/grouped/grouped_statement.h"

namespace cinderscope {

namespace {

template <std::size_t kCount>
bool is_one_of(std::string_view name, const std::array<std::string_view, kCount>& names) {
  return std::ranges::any_of(
      names, [name](std::string_view each) { return equals_in_any_case(each, name); });
}

// Words between operands; what begins another query or turns a function into another is missing.
bool is_operator_word(const StatementToken& token) {
  constexpr std::array<std::string_view, 25> kWords = {
      "and",  "or",    "not",   "is",   "null",    "isnull", "notnull", "between", "in",
      "like", "glob",  "case",  "when", "then",    "else",   "end",     "as",      "asc",
      "desc", "nulls", "first", "last", "collate", "true",   "false"};
  return token.kind == SqlTokenKind::word && is_one_of(token.text, kWords);
}

// Columns that are neither keys nor looked at.
constexpr std::array<std::string_view, 5> kOtherColumns = {"parent_slice_id", "category", "rowid",
                                                           "oid", "_rowid_"};

}  // namespace

bool GroupedTable::has_column(std::string_view name) const {
  return tested(name).has_value() || is_one_of(name, kOtherColumns);
}

std::optional<GroupKey> GroupedTable::key(std::string_view name) const {
  const std::size_t count =
      with_names ? kGroupKeys : static_cast<std::size_t>(GroupKey::thread_name);
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = static_cast<GroupKey>(i);
    if (equals_in_any_case(column_of(key), name)) return key;
  }
  return std::nullopt;
}

std::optional<SliceColumn> GroupedTable::tested(std::string_view name) const {
  constexpr std::array kUntested = {SliceColumn::parent_slice_id, SliceColumn::category};
  const SliceColumn end = with_names ? SliceColumn::kind : SliceColumn::trace_name;
  for (std::size_t i = 0; i < static_cast<std::size_t>(end); ++i) {
    const auto column = static_cast<SliceColumn>(i);
    const bool untested = std::ranges::find(kUntested, column) != kUntested.end();
    if (!untested && equals_in_any_case(column_of(column), name)) return column;
  }
  return std::nullopt;
}

std::optional<ColumnName> column_at(StatementTokens tokens, const GroupedTable& table) {
  if (tokens.empty() || !is_name(tokens[0])) return std::nullopt;
  if (tokens.size() < 3 || !is_sign(tokens[1], "."))
    return ColumnName{name_of(tokens[0]), false, 1};
  if (!is_name(tokens[2])) return std::nullopt;
  if (!equals_in_any_case(name_of(tokens[0]), table.called)) return std::nullopt;
  return ColumnName{name_of(tokens[2]), true, 3};
}

std::size_t closing(StatementTokens tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (is_sign(tokens[i], "(")) ++depth;
    if (is_sign(tokens[i], ")") && --depth == 0) return i;
  }
  return tokens.size();
}

std::vector<StatementTokens> split(StatementTokens tokens, std::string_view sign) {
  std::vector<StatementTokens> parts;
  std::size_t from = 0, depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_sign(tokens[i], "(")) ++depth;
    if (is_sign(tokens[i], ")") && depth > 0) --depth;
    if (depth > 0 || !is_sign(tokens[i], sign)) continue;
    parts.push_back(tokens.subspan(from, i - from));
    from = i + 1;
  }
  parts.push_back(tokens.subspan(from));
  return parts;
}

StatementTokens without_parentheses(StatementTokens tokens) {
  while (tokens.size() > 2 && is_sign(tokens[0], "(") && closing(tokens, 0) == tokens.size() - 1) {
    tokens = tokens.subspan(1, tokens.size() - 2);
  }
  return tokens;
}

std::string text_of(StatementTokens tokens) {
  std::string text;
  for (const StatementToken& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token.text;
  }
  return text;
}

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

bool is_plain_function(std::string_view name) {
  constexpr std::array<std::string_view, 50> kFunctions = {
      "abs",      "acos",     "asin",      "atan",   "atan2", "ceil",    "ceiling",  "char",
      "coalesce", "cos",      "degrees",   "exp",    "floor", "format",  "glob",     "hex",
      "ifnull",   "iif",      "instr",     "length", "like",  "ln",      "log",      "log10",
      "log2",     "lower",    "ltrim",     "max",    "min",   "mod",     "name_key", "nullif",
      "pi",       "pow",      "power",     "printf", "quote", "radians", "replace",  "round",
      "rtrim",    "show_dur", "show_time", "sign",   "sin",   "sqrt",    "substr",   "substring",
      "trim",     "upper"};
  return is_one_of(name, kFunctions);
}

std::optional<std::uint32_t> Constants::number_of(StatementTokens tokens) {
  constexpr std::array<std::string_view, 5> kOfTheWindow = {"view_begin", "view_end", "range_begin",
                                                            "range_end", "selected_slice"};
  constexpr std::array<std::string_view, 3> kWords = {"null", "true", "false"};
  constexpr std::array<std::string_view, 13> kSigns = {"+",  "-", "*", "/", "%", "||", "<<",
                                                       ">>", "&", "|", "~", "(", ")"};
  if (tokens.empty()) return std::nullopt;
  std::ptrdiff_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const StatementToken& token = tokens[i];
    if (token.kind == SqlTokenKind::name) return std::nullopt;
    if (token.kind == SqlTokenKind::sign) {
      if (!is_one_of(token.text, kSigns) && !(token.text == "," && depth > 0)) return std::nullopt;
      depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0;
      if (depth < 0) return std::nullopt;
    }
    if (token.kind == SqlTokenKind::word && !is_one_of(token.text, kWords)) {
      const bool called = i + 1 < tokens.size() && is_sign(tokens[i + 1], "(");
      if (!called) return std::nullopt;
      if (!is_plain_function(token.text) && !is_one_of(token.text, kOfTheWindow)) {
        return std::nullopt;
      }
    }
  }
  if (depth != 0) return std::nullopt;
  const std::string text = text_of(tokens);
  const auto known = std::ranges::find(texts, text);
  if (known != texts.end()) return static_cast<std::uint32_t>(known - texts.begin());
  if (texts.size() == kMostConstants) return std::nullopt;
  texts.push_back(text);
  return static_cast<std::uint32_t>(texts.size() - 1);
}

std::optional<std::string> GroupedExpressions::key_text(std::string_view name) const {
  const std::optional<GroupKey> key = table_.key(name);
  if (!key || std::ranges::find(query_.keys, *key) == query_.keys.end()) return std::nullopt;
  return "g." + quoted_name(column_of(*key));
}

std::optional<std::string> GroupedExpressions::rewritten(StatementTokens tokens) {
  if (tokens.empty() || is_sign(tokens[0], "*")) return std::nullopt;
  std::string text;
  std::size_t at = 0;
  while (at < tokens.size()) {
    const StatementToken& token = tokens[at];
    if (!text.empty()) text += ' ';
    const bool names_something =
        at > 0 && (is_word(tokens[at - 1], "as") || is_word(tokens[at - 1], "collate"));
    const bool called = at + 1 < tokens.size() && is_sign(tokens[at + 1], "(");
    if (token.kind == SqlTokenKind::sign) {
      if (token.text == "." || token.text == ";") return std::nullopt;
      text += token.text;
      ++at;
    } else if (!is_name(token)) {
      if (token.text == "?") return std::nullopt;  // is counted from left to right
      text += token.text;
      ++at;
    } else if (names_something || is_operator_word(token)) {
      if (names_something && called) return std::nullopt;
      text += token.text;
      ++at;
    } else if (called && token.kind == SqlTokenKind::word) {
      if (const auto aggregate = aggregate_at(tokens, at)) {
        text += *aggregate;
      } else if (is_word(token, "cast") || is_plain_function(token.text)) {
        const bool of_one = is_word(token, "min") || is_word(token, "max");
        const std::size_t end = closing(tokens, at + 1);
        if (end == tokens.size()) return std::nullopt;
        const StatementTokens arguments = tokens.subspan(at + 2, end - at - 2);
        if (of_one && split(arguments, ",").size() < 2) return std::nullopt;
        text += token.text;
        ++at;
      } else {
        return std::nullopt;
      }
    } else if (const auto name = name_at(tokens, at)) {
      text += *name;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::optional<std::string> GroupedExpressions::name_at(StatementTokens tokens,
                                                       std::size_t& at) const {
  const std::optional<ColumnName> column = column_at(tokens.subspan(at), table_);
  if (!column) return std::nullopt;
  at += column->tokens;
  if (column->qualified || table_.has_column(column->name)) return key_text(column->name);
  if (results == nullptr) return std::nullopt;
  for (const ResultColumn& result : *results) {
    if (equals_in_any_case(result.alias, column->name)) return "(" + result.text + ")";
  }
  return std::nullopt;
}

std::optional<std::string> GroupedExpressions::aggregate_at(StatementTokens tokens,
                                                            std::size_t& at) {
  const std::size_t end = closing(tokens, at + 1);
  if (end == tokens.size()) return std::nullopt;
  // What follows may choose rows or look at others.
  const bool goes_on = end + 1 < tokens.size() &&
                       (is_word(tokens[end + 1], "filter") || is_word(tokens[end + 1], "over"));
  if (goes_on) return std::nullopt;
  const auto aggregate = aggregate_of(tokens[at].text, tokens.subspan(at + 2, end - at - 2));
  if (!aggregate) return std::nullopt;
  const auto known = std::ranges::find(query_.aggregates, *aggregate);
  const auto number = static_cast<std::size_t>(known - query_.aggregates.begin());
  if (known == query_.aggregates.end()) {
    if (number == kMostAggregates) return std::nullopt;
    query_.aggregates.push_back(*aggregate);
  }
  at = end + 1;
  // With a sign it is no column, so that it is compared as an aggregate is.
  return "(+g." + aggregate_column(number) + ")";
}

std::optional<GroupedAggregate> GroupedExpressions::aggregate_of(std::string_view function,
                                                                 StatementTokens arguments) {
  struct Named {
    std::string_view name;
    AggregateKind kind;
  };
  constexpr std::array<Named, 5> kOfOne = {Named{"sum", AggregateKind::sum},
                                           {"total", AggregateKind::total},
                                           {"min", AggregateKind::min},
                                           {"max", AggregateKind::max},
                                           {"avg", AggregateKind::avg}};
  const auto is = [function](std::string_view name) { return equals_in_any_case(function, name); };
  if (is("count")) {
    // None of these columns is ever NULL.
    const bool of_all = arguments.empty() || (arguments.size() == 1 && is_sign(arguments[0], "*"));
    if (of_all || measure_of(arguments)) return GroupedAggregate{};
    const auto column = column_at(arguments, table_);
    if (!column || column->tokens != arguments.size()) return std::nullopt;
    const auto tested = table_.tested(column->name);
    if (tested && (!is_text(*tested) || *tested == SliceColumn::name)) return GroupedAggregate{};
    return std::nullopt;
  }
  const std::vector<StatementTokens> parts = split(arguments, ",");
  if (is("covered")) {
    if (parts.size() != 2 || measure_of(parts[0]) != GroupedMeasure::ts) return std::nullopt;
    if (measure_of(parts[1]) != GroupedMeasure::dur) return std::nullopt;
    return GroupedAggregate{AggregateKind::covered};
  }
  if (is("percentile")) {
    if (parts.size() != 2) return std::nullopt;
    const auto of = measure_of(parts[0]);
    const auto share = of ? constants_.number_of(parts[1]) : std::nullopt;
    if (!share) return std::nullopt;
    return GroupedAggregate{AggregateKind::percentile, *of, *share};
  }
  const auto of = parts.size() == 1 ? measure_of(parts[0]) : std::nullopt;
  if (!of) return std::nullopt;
  if (is("median")) {
    const StatementToken half{SqlTokenKind::number, "50"};
    return GroupedAggregate{AggregateKind::percentile, *of,
                            *constants_.number_of(StatementTokens(&half, 1))};
  }
  for (const Named& each : kOfOne) {
    if (is(each.name)) return GroupedAggregate{each.kind, *of};
  }
  return std::nullopt;
}

std::optional<GroupedMeasure> GroupedExpressions::measure_of(StatementTokens tokens) const {
  const auto column = column_at(tokens, table_);
  if (!column || column->tokens != tokens.size()) return std::nullopt;
  constexpr std::array<std::string_view, kMeasures> kNames = {"dur", "self_dur", "ts", "ts_end"};
  for (std::size_t i = 0; i < kMeasures; ++i) {
    if (equals_in_any_case(kNames[i], column->name)) return static_cast<GroupedMeasure>(i);
  }
  return std::nullopt;
}

}  // namespace cinderscope
