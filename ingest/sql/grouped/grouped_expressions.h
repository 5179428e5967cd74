// Expressions of a grouping statement: what their names stand for, and their text over the table of
// groups.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/grouped/grouped_query.h"
#include "ingest/sql/grouped/statement_tokens.h"

namespace cinderscope {

using StatementTokens = std::span<const StatementToken>;

// The table that is grouped.
struct GroupedTable {
  bool with_names = false;  // thread_slice
  std::string called;       // its alias, else its name

  bool has_column(std::string_view name) const;
  std::optional<GroupKey> key(std::string_view name) const;
  std::optional<SliceColumn> tested(std::string_view name) const;
};

// A column's name at the head of `tokens`, with or without its table's.
struct ColumnName {
  std::string name;
  bool qualified = false;
  std::size_t tokens = 0;  // that it takes
};
std::optional<ColumnName> column_at(StatementTokens tokens, const GroupedTable& table);

// The place of the parenthesis that closes the one at `open`; tokens.size() if none does.
std::size_t closing(StatementTokens tokens, std::size_t open);
// Tokens separated by `sign` outside of parentheses.
std::vector<StatementTokens> split(StatementTokens tokens, std::string_view sign);
StatementTokens without_parentheses(StatementTokens tokens);  // around all of it
std::string text_of(StatementTokens tokens);
std::string quoted_name(std::string_view name);

// A function that gives the same for the same arguments, and looks at one row alone.
bool is_plain_function(std::string_view name);

// Numbers each constant expression once.
class Constants {
 public:
  // nullopt: it is none, since it has columns, comparisons or others that would change what it is
  // compared with.
  std::optional<std::uint32_t> number_of(StatementTokens tokens);
  std::vector<std::string> texts;
};

// What a result column is called, and what stands for it.
struct ResultColumn {
  std::string alias;  // empty: none was given
  std::string text;
};

// Writes expressions anew: keys become columns of the table `g`, aggregates too.
class GroupedExpressions {
 public:
  GroupedExpressions(const GroupedTable& table, GroupedQuery& query, Constants& constants)
      : table_(table), query_(query), constants_(constants) {}

  // Names that are no columns of the table are looked for there; null: nowhere.
  const std::vector<ResultColumn>* results = nullptr;
  // nullopt: it is not made of keys, aggregates and plain functions.
  std::optional<std::string> rewritten(StatementTokens tokens);
  // The key that the name stands for, if that is one of the statement's.
  std::optional<std::string> key_text(std::string_view name) const;

 private:
  std::optional<std::string> name_at(StatementTokens tokens, std::size_t& at) const;
  std::optional<std::string> aggregate_at(StatementTokens tokens, std::size_t& at);
  std::optional<GroupedAggregate> aggregate_of(std::string_view function,
                                               StatementTokens arguments);
  std::optional<GroupedMeasure> measure_of(StatementTokens tokens) const;

  const GroupedTable& table_;
  GroupedQuery& query_;
  Constants& constants_;
};

}  // namespace cinderscope
