#include "ingest/sql/grouped/grouped_subqueries.h"

#include <algorithm>
#include <optional>

#include "ingest/sql/grouped/grouped_expressions.h"

namespace cinderscope {

namespace {

// Others keep their text, in which numbers of groupings would mean nothing later.
bool is_query(StatementTokens tokens) {
  return !tokens.empty() && (is_word(tokens[0], "select") || is_word(tokens[0], "with") ||
                             is_word(tokens[0], "explain"));
}

// WITH slice AS (…): the tables of that name are others.
bool names_tables_anew(StatementTokens tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_name(tokens[i])) continue;
    const std::string name = name_of(tokens[i]);
    const bool is_table =
        equals_in_any_case(name, "slice") || equals_in_any_case(name, "thread_slice");
    if (!is_table) continue;
    if (is_sign(tokens[i + 1], "(")) return true;
    const bool has_body = i + 2 < tokens.size() && is_word(tokens[i + 1], "as") &&
                          (is_sign(tokens[i + 2], "(") || is_word(tokens[i + 2], "not") ||
                           is_word(tokens[i + 2], "materialized"));
    if (has_body) return true;
  }
  return false;
}

bool begins_table(const StatementToken& token) {
  return is_word(token, "from") || is_word(token, "join") || is_word(token, "as") ||
         is_word(token, "materialized");
}

}  // namespace

std::vector<GroupedSubquery> grouped_subqueries(std::string_view sql) {
  std::vector<GroupedSubquery> parts;
  const auto read = statement_tokens(sql);
  if (!read) return parts;
  const StatementTokens tokens = *read;
  const auto is_counted = [](const StatementToken& token) { return token.text == "?"; };
  if (!is_query(tokens) || names_tables_anew(tokens) || std::ranges::any_of(tokens, is_counted)) {
    return parts;
  }
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const bool opens =
        is_sign(tokens[i], "(") && begins_table(tokens[i - 1]) && is_word(tokens[i + 1], "select");
    const std::size_t close = opens ? closing(tokens, i) : tokens.size();
    if (close == tokens.size()) continue;
    const auto begin = static_cast<std::size_t>(tokens[i + 1].text.data() - sql.data());
    const auto end = static_cast<std::size_t>(tokens[close].text.data() - sql.data());
    std::optional<GroupedStatement> statement = grouped_statement(sql.substr(begin, end - begin));
    if (!statement) continue;
    parts.push_back({begin, end, std::move(*statement)});
    i = close;
  }
  return parts;
}

std::string with_subqueries(std::string_view sql, std::span<const GroupedSubquery> parts,
                            std::string_view function, std::size_t first) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += sql.substr(from, parts[i].begin - from);
    text += parts[i].statement.rewritten(function, first + i);
    // With a limit it is not merged with the query around it, whose joins would work the groups out
    // again and again.
    if (!parts[i].statement.limited) text += " LIMIT -1";
    from = parts[i].end;
  }
  text += sql.substr(from);
  return text;
}

}  // namespace cinderscope
