#include "render/editing/sql_tokens.h"

#include <algorithm>
#include <array>
#include <string>

#include "ingest/base/ascii.h"

namespace cinderscope {
namespace {

// Words of SQLite that are no columns of the tables: `key` and `range` are names here.
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"ALL",       "AND",     "AS",        "ASC",       "BETWEEN",   "BY",        "CASE",
     "CAST",      "COLLATE", "CREATE",    "CROSS",     "CURRENT",   "DELETE",    "DESC",
     "DISTINCT",  "DROP",    "ELSE",      "END",       "ESCAPE",    "EXCEPT",    "EXCLUDE",
     "EXISTS",    "EXPLAIN", "FILTER",    "FOLLOWING", "FROM",      "FULL",      "GLOB",
     "GROUP",     "HAVING",  "IN",        "INDEXED",   "INNER",     "INSERT",    "INTERSECT",
     "INTO",      "IS",      "ISNULL",    "JOIN",      "LEFT",      "LIKE",      "LIMIT",
     "NATURAL",   "NOT",     "NOTNULL",   "NULL",      "NULLS",     "OFFSET",    "ON",
     "OR",        "ORDER",   "OTHERS",    "OUTER",     "OVER",      "PARTITION", "PLAN",
     "PRECEDING", "QUERY",   "RECURSIVE", "REGEXP",    "RIGHT",     "SELECT",    "SET",
     "TABLE",     "TEMP",    "TEMPORARY", "THEN",      "UNBOUNDED", "UNION",     "UPDATE",
     "USING",     "VALUES",  "VIEW",      "WHEN",      "WHERE",     "WINDOW",    "WITH"});
static_assert(std::ranges::is_sorted(kKeywords));

bool begins_word(char c) {
  return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool in_word(char c) {
  return begins_word(c) || is_digit(c) || c == '$';
}

// To behind the closing quote; two of them are one within.
std::size_t quoted_end(std::string_view text, std::size_t begin, char quote, bool& open) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] != quote) continue;
    const bool doubled = quote != ']' && at + 1 < text.size() && text[at + 1] == quote;
    if (!doubled) return at + 1;
    ++at;
  }
  open = true;
  return text.size();
}

std::size_t number_end(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X")) {
    at += 2;
    while (at < text.size() && (is_letter_or_digit(text[at]))) ++at;
    return at;
  }
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits();
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
    if (at + 1 + sign < text.size() && is_digit(text[at + 1 + sign])) {
      at += 1 + sign;
      digits();
    }
  }
  return at;
}

// The token at `begin`, which is no blank.
SqlToken token_at(std::string_view text, std::size_t begin) {
  SqlToken token{.begin = begin, .end = begin + 1};
  const char c = text[begin], follows = begin + 1 < text.size() ? text[begin + 1] : '\0';
  if (begins_word(c)) {
    while (token.end < text.size() && in_word(text[token.end])) ++token.end;
    const std::string_view word = text.substr(begin, token.end - begin);
    token.kind = is_sql_keyword(word) ? SqlTokenKind::keyword : SqlTokenKind::word;
  } else if (c == '\'') {
    token.kind = SqlTokenKind::text;
    token.end = quoted_end(text, begin, '\'', token.open);
  } else if (c == '"' || c == '`' || c == '[') {
    token.kind = SqlTokenKind::name;
    token.end = quoted_end(text, begin, c == '[' ? ']' : c, token.open);
  } else if (is_digit(c) || (c == '.' && is_digit(follows))) {
    token.kind = SqlTokenKind::number;
    token.end = number_end(text, begin);
  } else if (c == '-' && follows == '-') {
    token.kind = SqlTokenKind::comment;
    token.end = std::min(text.find('\n', begin), text.size());
  } else if (c == '/' && follows == '*') {
    token.kind = SqlTokenKind::comment;
    const std::size_t end = text.find("*/", begin + 2);
    token.open = end == std::string_view::npos;
    token.end = token.open ? text.size() : end + 2;
  } else if ((c == ':' || c == '@' || c == '$' || c == '?') && in_word(follows)) {
    token.kind = SqlTokenKind::parameter;
    while (token.end < text.size() && in_word(text[token.end])) ++token.end;
  } else {
    constexpr auto kPairs =
        std::to_array<std::string_view>({"||", "<=", ">=", "<>", "!=", "==", "<<", ">>", "->"});
    const bool pair = std::ranges::find(kPairs, text.substr(begin, 2)) != kPairs.end();
    if (pair) ++token.end;
  }
  return token;
}

}  // namespace

bool is_sql_keyword(std::string_view word) {
  std::string upper(word);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  return std::ranges::binary_search(kKeywords, upper);
}

std::vector<SqlToken> sql_tokens(std::string_view text) {
  std::vector<SqlToken> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    tokens.push_back(token_at(text, at));
    at = tokens.back().end;
  }
  return tokens;
}

SqlOrder sql_order_of(std::string_view text) {
  SqlOrder order;
  std::size_t depth = 0;
  const std::vector<SqlToken> tokens = sql_tokens(text);
  const auto word = [&](std::size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
                             : std::string_view();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (word(i) == "(") ++depth;
    if (word(i) == ")" && depth > 0) --depth;
    if (depth > 0 || !equals_in_any_case(word(i), "ORDER") ||
        !equals_in_any_case(word(i + 1), "BY") || i + 2 >= tokens.size()) {
      continue;
    }
    order = {};
    const std::string_view follows = word(i + 3);
    const bool descending = equals_in_any_case(follows, "DESC");
    const bool ends = follows.empty() || follows == "," || follows == ";" || descending ||
                      equals_in_any_case(follows, "ASC") || equals_in_any_case(follows, "LIMIT");
    if (tokens[i + 2].kind == SqlTokenKind::word && ends) order = {word(i + 2), descending};
  }
  return order;
}

std::string_view first_sql_comment(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("--")) {
    text = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
  } else if (text.starts_with("/*")) {
    text = text.substr(2, std::min(text.find("*/", 2), text.size()) - 2);
    text = trimmed(text);
    text = text.substr(0, std::min(text.find('\n'), text.size()));
  } else {
    return {};
  }
  return trimmed(text);
}

}  // namespace cinderscope
