#include "ingest/sql/sql_tokens.h"

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
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
// A vertical tab is none.
bool is_sql_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// Reads the token at `begin`, which is no blank.
class SqlTokenReader {
 public:
  SqlTokenReader(std::string_view text, std::size_t begin) : text_(text), at_(begin) {
    token_.begin = begin;
  }

  SqlToken read() {
    token_.kind = skip_one();
    token_.end = at_;
    return token_;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  template <class Is>
  void skip(Is is) {
    while (at_ < text_.size() && is(text_[at_])) ++at_;
  }
  // To behind `what`, else to the end.
  void skip_to(std::string_view what, std::size_t from) {
    const std::size_t found = text_.find(what, from);
    token_.open = found == std::string_view::npos;
    at_ = token_.open ? text_.size() : found + what.size();
  }

  SqlTokenKind skip_one() {
    const char c = peek(), follows = peek(1);
    if ((c == 'x' || c == 'X') && follows == '\'') return skip_blob();
    if (begins_word(c)) return skip_word();
    if (is_digit(c) || (c == '.' && is_digit(follows))) return skip_number();
    if (c == '-' && follows == '-') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return SqlTokenKind::comment;
    }
    if (c == '/' && follows == '*') {
      token_.odd = at_ + 2 == text_.size();  // two signs, to SQLite
      skip_to("*/", at_ + 2);
      return SqlTokenKind::comment;
    }
    switch (c) {
      case '\'':
        skip_quoted(c);
        return SqlTokenKind::text;
      case '"':
      case '`':
        skip_quoted(c);
        return SqlTokenKind::name;
      case '[':
        skip_to("]", at_);
        return SqlTokenKind::name;
      case '?':
        ++at_;
        skip(is_digit);
        return SqlTokenKind::parameter;
      case ':':
      case '@':
      case '$':
      case '#':
        if (!in_word(follows)) break;
        token_.odd = c == '#';
        ++at_;
        skip(in_word);
        return SqlTokenKind::parameter;
      default:
        break;
    }
    skip_sign();
    return SqlTokenKind::sign;
  }

  SqlTokenKind skip_word() {
    skip(in_word);
    const std::string_view word = text_.substr(token_.begin, at_ - token_.begin);
    return is_sql_keyword(word) ? SqlTokenKind::keyword : SqlTokenKind::word;
  }

  // Two quotes are one within.
  void skip_quoted(char quote) {
    do {
      skip_to(std::string_view(&quote, 1), at_ + 1);
    } while (!token_.open && peek() == quote);
  }

  SqlTokenKind skip_blob() {
    const std::size_t first = at_ + 2;
    skip_to("'", first);
    const std::string_view digits = text_.substr(first, at_ - first - (token_.open ? 0 : 1));
    token_.odd = digits.size() % 2 != 0 || !std::ranges::all_of(digits, is_hex);
    return SqlTokenKind::blob;
  }

  SqlTokenKind skip_number() {
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && is_hex(peek(2))) {
      at_ += 2;
      skip(is_hex);
    } else {
      skip(is_digit);
      if (peek() == '.') {
        ++at_;
        skip(is_digit);
      }
      const bool is_signed = peek(1) == '+' || peek(1) == '-';
      if ((peek() == 'e' || peek() == 'E') && is_digit(peek(is_signed ? 2 : 1))) {
        at_ += is_signed ? 2 : 1;
        skip(is_digit);
      }
    }
    token_.odd = in_word(peek());
    skip(in_word);
    return SqlTokenKind::number;
  }

  void skip_sign() {
    constexpr auto kLong = std::to_array<std::string_view>(
        {"->>", "<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->"});
    constexpr std::string_view kShort = "()+-*/%&|~<>=,.;";
    const std::string_view rest = text_.substr(at_);
    const auto* const found = std::ranges::find_if(
        kLong, [rest](std::string_view each) { return rest.starts_with(each); });
    token_.odd = found == kLong.end() && kShort.find(rest.front()) == std::string_view::npos;
    at_ += found == kLong.end() ? 1 : found->size();
  }

  std::string_view text_;
  std::size_t at_;
  SqlToken token_;
};

}  // namespace

bool is_sql_keyword(std::string_view word) {
  constexpr std::size_t kLongest = 9;
  if (word.size() > kLongest) return false;
  std::string upper(word);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  return std::ranges::binary_search(kKeywords, upper);
}

std::optional<SqlToken> next_sql_token(std::string_view text, std::size_t from) {
  while (from < text.size() && is_sql_blank(text[from])) ++from;
  if (from >= text.size()) return std::nullopt;
  return SqlTokenReader(text, from).read();
}

std::vector<SqlToken> sql_tokens(std::string_view text) {
  std::vector<SqlToken> tokens;
  while (const auto token = next_sql_token(text, tokens.empty() ? 0 : tokens.back().end)) {
    tokens.push_back(*token);
  }
  return tokens;
}

std::string name_of(std::string_view written) {
  const char first = written.empty() ? '\0' : written.front();
  if (first != '"' && first != '`' && first != '[') return std::string(written);
  const char last = first == '[' ? ']' : first;
  std::string name;
  for (std::size_t i = 1; i < written.size(); ++i) {
    // Twice it stands for itself; one in brackets never does.
    if (written[i] == last && (++i == written.size() || written[i] != last)) break;
    name += written[i];
  }
  return name;
}

SqlOrder sql_order_of(std::string_view text) {
  SqlOrder order;
  std::size_t depth = 0;
  const std::vector<SqlToken> tokens = sql_tokens(text);
  const auto word = [&](std::size_t i) {
    return i < tokens.size() ? text_of(tokens[i], text) : std::string_view();
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
