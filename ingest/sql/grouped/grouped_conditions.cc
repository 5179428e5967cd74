#include "ingest/sql/grouped/grouped_conditions.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cinderscope {

namespace {

// Conditions: each compares a column with constants.
class Conditions {
 public:
  Conditions(const GroupedTable& table, GroupedQuery& query, Constants& constants)
      : table_(table), query_(query), constants_(constants) {}

  bool add(StatementTokens tokens) {
    std::vector<StatementTokens> left{tokens};
    while (!left.empty()) {
      const StatementTokens inner = without_parentheses(left.back());
      left.pop_back();
      const std::size_t end = end_of_first(inner);
      if (end < inner.size()) {
        left.push_back(inner.subspan(end + 1));
        left.push_back(inner.first(end));
      } else if (!add_one(inner)) {
        return false;
      }
    }
    return true;
  }

 private:
  // Where the first condition ends: the AND that belongs to no BETWEEN.
  static std::size_t end_of_first(StatementTokens tokens) {
    std::size_t depth = 0;
    bool between = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (is_sign(tokens[i], "(")) ++depth;
      if (is_sign(tokens[i], ")") && depth > 0) --depth;
      if (depth > 0) continue;
      if (is_word(tokens[i], "between")) between = true;
      if (!is_word(tokens[i], "and")) continue;
      if (!between) return i;
      between = false;
    }
    return tokens.size();
  }

  struct Comparison {
    std::string_view sign;
    TestKind kind, turned;
    bool negated = false;
  };
  static const Comparison* comparison(const StatementToken& token) {
    static constexpr std::array<Comparison, 8> kAll = {
        Comparison{"=", TestKind::equal, TestKind::equal},
        {"==", TestKind::equal, TestKind::equal},
        {"<>", TestKind::equal, TestKind::equal, true},
        {"!=", TestKind::equal, TestKind::equal, true},
        {"<", TestKind::less, TestKind::greater},
        {"<=", TestKind::less_equal, TestKind::greater_equal},
        {">", TestKind::greater, TestKind::less},
        {">=", TestKind::greater_equal, TestKind::less_equal}};
    const auto found = std::ranges::find_if(
        kAll, [&](const Comparison& each) { return is_sign(token, each.sign); });
    return found == kAll.end() ? nullptr : found;
  }

  bool add_one(StatementTokens tokens) {
    if (add_from(tokens)) return true;
    // 5 < dur
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      const Comparison* sign = comparison(tokens[i]);
      if (sign == nullptr) continue;
      const std::optional<SliceColumn> column = column_of_all(tokens.subspan(i + 1));
      if (!column) return false;
      return add_test({*column, sign->turned, sign->negated, {}}, {tokens.first(i)});
    }
    return false;
  }

  std::optional<SliceColumn> column_of_all(StatementTokens tokens) const {
    const auto column = column_at(tokens, table_);
    if (!column || column->tokens != tokens.size()) return std::nullopt;
    return table_.tested(column->name);
  }

  // The column comes first.
  bool add_from(StatementTokens tokens) {
    const auto name = column_at(tokens, table_);
    const auto column = name ? table_.tested(name->name) : std::nullopt;
    if (!column) return false;
    tokens = tokens.subspan(name->tokens);
    if (tokens.empty()) return false;
    if (const Comparison* sign = comparison(tokens[0])) {
      return add_test({*column, sign->kind, sign->negated, {}}, {tokens.subspan(1)});
    }
    GroupedTest test{*column, {}, is_word(tokens[0], "not"), {}};
    if (test.negated) tokens = tokens.subspan(1);
    if (tokens.size() < 2) return false;
    const StatementTokens rest = tokens.subspan(1);
    if (is_word(tokens[0], "between")) {
      const auto middle = std::ranges::find_if(
          rest, [](const StatementToken& each) { return is_word(each, "and"); });
      if (middle == rest.end()) return false;
      const auto at = static_cast<std::size_t>(middle - rest.begin());
      test.kind = TestKind::between;
      return add_test(test, {rest.first(at), rest.subspan(at + 1)});
    }
    if (is_word(tokens[0], "in")) {
      if (!is_sign(rest[0], "(") || closing(rest, 0) != rest.size() - 1) return false;
      test.kind = TestKind::in;
      return add_test(test, split(rest.subspan(1, rest.size() - 2), ","));
    }
    constexpr std::array<std::pair<std::string_view, TestKind>, 3> kMatches = {
        std::pair{"like", TestKind::like}, {"glob", TestKind::glob}, {"regexp", TestKind::regexp}};
    for (const auto& [word, kind] : kMatches) {
      if (!is_word(tokens[0], word) || !is_text(*column)) continue;
      test.kind = kind;
      return add_test(test, {rest});
    }
    return false;
  }

  bool add_test(GroupedTest test, const std::vector<StatementTokens>& constants) {
    for (const StatementTokens& each : constants) {
      const auto number = constants_.number_of(each);
      if (!number) return false;
      test.constants.push_back(*number);
    }
    query_.tests.push_back(std::move(test));
    return true;
  }

  const GroupedTable& table_;
  GroupedQuery& query_;
  Constants& constants_;
};

}  // namespace

bool add_conditions(StatementTokens where, const GroupedTable& table, Constants& constants,
                    GroupedQuery& query) {
  return Conditions(table, query, constants).add(where);
}

}  // namespace cinderscope
