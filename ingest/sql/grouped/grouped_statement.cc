#include "ingest/sql/grouped/grouped_statement.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "ingest/sql/grouped/grouped_conditions.h"
#include "ingest/sql/grouped/grouped_expressions.h"

namespace cinderscope {

namespace {

// The words with which the parts of a statement begin, in their order.
enum Clause : std::size_t { kSelect, kFrom, kWhere, kGroup, kHaving, kOrder, kLimit, kClauses };
constexpr std::array<std::string_view, kClauses> kClauseWords = {
    "select", "from", "where", "group", "having", "order", "limit"};

struct Clauses {
  std::array<StatementTokens, kClauses> of;
  std::array<bool, kClauses> there{};
};

std::optional<Clauses> clauses_of(StatementTokens tokens) {
  if (!tokens.empty() && is_sign(tokens.back(), ";")) tokens = tokens.first(tokens.size() - 1);
  Clauses clauses;
  std::size_t depth = 0, from = 0;
  std::optional<std::size_t> current;
  const auto end_clause = [&](std::size_t at) {
    if (current) clauses.of[*current] = tokens.subspan(from, at - from);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_sign(tokens[i], "(")) ++depth;
    if (is_sign(tokens[i], ")")) {
      if (depth == 0) return std::nullopt;
      --depth;
    }
    if (depth > 0 || tokens[i].kind != SqlTokenKind::word) continue;
    const auto word = std::ranges::find_if(
        kClauseWords, [&](std::string_view each) { return is_word(tokens[i], each); });
    if (word == kClauseWords.end()) continue;
    const auto clause = static_cast<std::size_t>(word - kClauseWords.begin());
    if (current ? clause <= *current : clause != kSelect || i != 0) return std::nullopt;
    end_clause(i);
    current = clause;
    clauses.there[clause] = true;
    from = i + 1;
    if (clause != kGroup && clause != kOrder) continue;
    if (from == tokens.size() || !is_word(tokens[from], "by")) return std::nullopt;
    ++from;
    ++i;
  }
  end_clause(tokens.size());
  if (depth != 0 || !clauses.there[kSelect] || !clauses.there[kFrom]) return std::nullopt;
  return clauses;
}

std::optional<GroupedTable> table_of(StatementTokens tokens) {
  if (tokens.empty() || tokens.size() > 3) return std::nullopt;
  if (!is_name(tokens[0]) || !is_name(tokens.back())) return std::nullopt;
  if (tokens.size() == 3 && !is_word(tokens[1], "as")) return std::nullopt;
  GroupedTable table;
  const std::string name = name_of(tokens[0]);
  table.with_names = equals_in_any_case(name, "thread_slice");
  if (!table.with_names && !equals_in_any_case(name, "slice")) return std::nullopt;
  table.called = name_of(tokens.back());
  return table;
}

// A result column with its name.
struct Item {
  StatementTokens expression;
  std::string alias;
};

Item item_of(StatementTokens tokens) {
  if (tokens.size() < 2) return {tokens, {}};
  const StatementToken& last = tokens.back();
  const StatementToken& before = tokens[tokens.size() - 2];
  const bool names = is_name(last);
  if (is_word(before, "as") && names) return {tokens.first(tokens.size() - 2), name_of(last)};
  constexpr std::array<std::string_view, 7> kEnds = {"end",  "null",  "isnull", "notnull",
                                                     "true", "false", "current"};
  constexpr std::array<std::string_view, 15> kOperators = {
      "and",    "or",   "not",  "is",   "between", "in",      "like",    "glob",
      "regexp", "case", "when", "then", "else",    "collate", "distinct"};
  const auto is_one = [](const StatementToken& token, const auto& words) {
    return std::ranges::any_of(words, [&](std::string_view each) { return is_word(token, each); });
  };
  const bool after_operand =
      before.kind == SqlTokenKind::sign ? before.text == ")" : !is_one(before, kOperators);
  if (names && after_operand && !is_one(last, kEnds)) {
    return {tokens.first(tokens.size() - 1), name_of(last)};
  }
  return {tokens, {}};
}

std::string written(StatementTokens tokens) {
  const char* begin = tokens.front().text.data();
  const std::string_view last = tokens.back().text;
  return {begin, last.data() + last.size()};
}

// 2: the second result column.
std::optional<std::size_t> position_of(StatementTokens term) {
  if (term.size() != 1 || term[0].kind != SqlTokenKind::number) return std::nullopt;
  std::size_t number = 0;
  const std::string_view text = term[0].text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class Statement {
 public:
  Statement(const Clauses& clauses, const GroupedTable& table)
      : clauses_(clauses), table_(table), expressions_(table_, out_.query, constants_) {}

  std::optional<GroupedStatement> parse() {
    for (const StatementTokens& item : split(clauses_.of[kSelect], ",")) {
      if (item.empty()) return std::nullopt;
      items_.push_back(item_of(item));
    }
    const bool grouped = clauses_.there[kGroup];
    if (clauses_.there[kHaving] && !grouped) return std::nullopt;
    if (grouped && !find_keys()) return std::nullopt;
    if (clauses_.there[kWhere] &&
        !add_conditions(clauses_.of[kWhere], table_, constants_, out_.query)) {
      return std::nullopt;
    }
    if (!write_items()) return std::nullopt;
    if (out_.query.keys.empty() && out_.query.aggregates.empty()) return std::nullopt;
    out_.after_table = " AS g";
    expressions_.results = &results_;
    if (clauses_.there[kHaving]) {
      const auto having = expressions_.rewritten(clauses_.of[kHaving]);
      if (!having) return std::nullopt;
      out_.after_table += " WHERE " + *having;
    }
    if (clauses_.there[kOrder] && !write_order()) return std::nullopt;
    if (clauses_.there[kLimit] && !write_limit()) return std::nullopt;
    out_.constants = std::move(constants_.texts);
    return std::move(out_);
  }

 private:
  // Terms are columns, names or numbers of result columns; a column comes before a name.
  bool find_keys() {
    for (StatementTokens term : split(clauses_.of[kGroup], ",")) {
      term = without_parentheses(term);
      if (const auto position = position_of(term)) {
        if (*position < 1 || *position > items_.size()) return false;
        term = without_parentheses(items_[*position - 1].expression);
      } else if (term.size() == 1 && !table_.has_column(name_of(term[0]))) {
        const auto item = std::ranges::find_if(items_, [&](const Item& each) {
          return equals_in_any_case(each.alias, name_of(term[0]));
        });
        if (item == items_.end()) return false;
        term = without_parentheses(item->expression);
      }
      const auto column = column_at(term, table_);
      if (!column || column->tokens != term.size()) return false;
      const auto key = table_.key(column->name);
      if (!key) return false;
      std::vector<GroupKey>& keys = out_.query.keys;
      if (std::ranges::find(keys, *key) == keys.end()) keys.push_back(*key);
    }
    return true;
  }

  bool write_items() {
    out_.before_table = "SELECT ";
    for (const Item& item : items_) {
      if (item.expression.empty()) return false;
      const StatementTokens inner = without_parentheses(item.expression);
      const auto column = column_at(inner, table_);
      const bool is_column = column && column->tokens == inner.size();
      const auto text = expressions_.rewritten(is_column ? inner : item.expression);
      if (!text) return false;
      results_.push_back({item.alias, *text});
      if (out_.before_table.back() != ' ') out_.before_table += ", ";
      out_.before_table += *text;
      if (!item.alias.empty()) {
        out_.before_table += " AS " + quoted_name(item.alias);
      } else if (!is_column) {
        out_.before_table += " AS " + quoted_name(written(item.expression));
      }
    }
    out_.before_table += " FROM ";
    return true;
  }

  bool write_order() {
    std::string text = " ORDER BY ";
    for (const StatementTokens& term : split(clauses_.of[kOrder], ",")) {
      if (term.empty()) return false;
      if (text.back() != ' ') text += ", ";
      // A name by itself is that of a result column first.
      std::size_t named = items_.size();
      const bool alone = term.size() == 1 || is_word(term[1], "asc") || is_word(term[1], "desc") ||
                         is_word(term[1], "nulls");
      if (alone) {
        const auto item = std::ranges::find_if(items_, [&](const Item& each) {
          return !each.alias.empty() && equals_in_any_case(each.alias, name_of(term[0]));
        });
        named = static_cast<std::size_t>(item - items_.begin());
      }
      if (named < items_.size()) {
        text += std::to_string(named + 1);
        for (const StatementToken& token : term.subspan(1)) text.append(" ").append(token.text);
        continue;
      }
      const auto rewritten = expressions_.rewritten(term);
      if (!rewritten) return false;
      text += *rewritten;
    }
    out_.after_table += text;
    return true;
  }

  bool write_limit() {
    StatementTokens tokens = clauses_.of[kLimit];
    std::string text;
    for (const StatementToken& token : tokens) {
      const bool known =
          token.kind == SqlTokenKind::number ||
          (token.kind == SqlTokenKind::parameter && token.text != "?") ||
          is_word(token, "offset") ||
          (token.kind == SqlTokenKind::sign && token.text != "." && token.text != ";");
      if (!known) return false;
      text.append(" ").append(token.text);
    }
    out_.after_table += " LIMIT" + text;
    out_.limited = true;
    return true;
  }

  Clauses clauses_;
  GroupedTable table_;
  GroupedStatement out_;
  Constants constants_;
  GroupedExpressions expressions_;
  std::vector<Item> items_;
  std::vector<ResultColumn> results_;
};

}  // namespace

std::string aggregate_column(std::size_t aggregate) {
  return "a" + std::to_string(aggregate);
}

std::string GroupedStatement::rewritten(std::string_view function, std::size_t number) const {
  std::string text = before_table;
  text.append(function).append("(").append(std::to_string(number));
  for (const std::string& constant : constants) text.append(", ").append(constant);
  return text + ")" + after_table;
}

std::optional<GroupedStatement> grouped_statement(std::string_view sql) {
  const auto tokens = statement_tokens(sql);
  if (!tokens || tokens->empty()) return std::nullopt;
  for (const StatementToken& token : *tokens) {
    if (token.text == "?") return std::nullopt;  // is counted from left to right
  }
  // EXPLAIN shows how it is written anew.
  std::size_t prefix = 0;
  if (is_word(tokens->front(), "explain")) {
    const bool of_plan =
        tokens->size() > 2 && is_word((*tokens)[1], "query") && is_word((*tokens)[2], "plan");
    prefix = of_plan ? 3 : 1;
  }
  const auto clauses = clauses_of(std::span(*tokens).subspan(prefix));
  const auto table = clauses ? table_of(clauses->of[kFrom]) : std::nullopt;
  if (!table) return std::nullopt;
  std::optional<GroupedStatement> statement = Statement(*clauses, *table).parse();
  if (!statement) return std::nullopt;
  if (prefix > 0) {
    statement->before_table =
        text_of(std::span(*tokens).first(prefix)) + " " + statement->before_table;
  }
  const std::string_view last = tokens->back().text;
  statement->length = static_cast<std::size_t>(last.data() + last.size() - sql.data());
  return statement;
}

bool groups_slices_by_name(std::string_view sql) {
  const auto tokens = statement_tokens(sql);
  if (!tokens) return false;
  bool takes_slices = false, groups_by_name = false;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const StatementTokens rest = std::span(*tokens).subspan(i);
    const bool takes = is_word(rest[0], "from") || is_word(rest[0], "join");
    takes_slices |= takes && (is_word(rest[1], "slice") || is_word(rest[1], "thread_slice"));
    if (!is_word(rest[0], "group") || !is_word(rest[1], "by") || rest.size() < 3) continue;
    std::size_t at = 2;
    if (rest.size() > 4 && is_sign(rest[3], ".")) at = 4;
    const bool goes_on = at + 1 < rest.size() && is_sign(rest[at + 1], ",");
    groups_by_name |= is_word(rest[at], "name") && !goes_on;
  }
  return takes_slices && groups_by_name;
}

}  // namespace cinderscope
