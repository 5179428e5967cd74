#include "ingest/sql/grouped/statement_tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "ingest/base/ascii.h"

namespace cinderscope {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}
bool begins_name(char c) {
  return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_of_name(char c) {
  return begins_name(c) || is_digit(c) || c == '$';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class Reader {
 public:
  explicit Reader(std::string_view sql) : sql_(sql) {}

  std::optional<std::vector<StatementToken>> read() {
    std::vector<StatementToken> tokens;
    while (skip_blanks()) {
      const std::size_t from = at_;
      const std::optional<StatementTokenKind> kind = next();
      if (!kind) return std::nullopt;
      tokens.push_back({*kind, sql_.substr(from, at_ - from)});
      if (tokens.back().text == ";") break;
    }
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }
  template <class Is>
  void skip(Is is) {
    while (at_ < sql_.size() && is(sql_[at_])) ++at_;
  }

  // False at the end.
  bool skip_blanks() {
    while (at_ < sql_.size()) {
      if (is_space(peek())) {
        ++at_;
      } else if (peek() == '-' && peek(1) == '-') {
        at_ = std::min(sql_.find('\n', at_), sql_.size());
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = sql_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? sql_.size() : end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  std::optional<StatementTokenKind> next() {
    const char c = peek();
    if ((c == 'x' || c == 'X') && peek(1) == '\'') {
      at_ += 1;
      return quoted('\'') ? std::optional(StatementTokenKind::blob) : std::nullopt;
    }
    if (begins_name(c)) {
      skip(is_of_name);
      return StatementTokenKind::word;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    switch (c) {
      case '\'':
        return quoted(c) ? std::optional(StatementTokenKind::text) : std::nullopt;
      case '"':
      case '`':
        return quoted(c) ? std::optional(StatementTokenKind::quoted) : std::nullopt;
      case '[': {
        const std::size_t end = sql_.find(']', at_);
        if (end == std::string_view::npos) return std::nullopt;
        at_ = end + 1;
        return StatementTokenKind::quoted;
      }
      case '?':
        ++at_;
        skip(is_digit);
        return StatementTokenKind::variable;
      case ':':
      case '@':
      case '$':
        ++at_;
        if (!is_of_name(peek())) return std::nullopt;
        skip(is_of_name);
        return StatementTokenKind::variable;
      default:
        return sign();
    }
  }

  // A quote within is written twice.
  bool quoted(char quote) {
    ++at_;
    for (;;) {
      const std::size_t end = sql_.find(quote, at_);
      if (end == std::string_view::npos) return false;
      at_ = end + 1;
      if (peek() != quote) return true;
      ++at_;
    }
  }

  std::optional<StatementTokenKind> number() {
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
    if (is_of_name(peek())) return std::nullopt;
    return StatementTokenKind::number;
  }

  std::optional<StatementTokenKind> sign() {
    constexpr std::array<std::string_view, 10> kLong = {
        "->>", "<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->"};
    constexpr std::string_view kShort = "()+-*/%&|~<>=,.;";
    const std::string_view rest = sql_.substr(at_);
    for (const std::string_view each : kLong) {
      if (!rest.starts_with(each)) continue;
      at_ += each.size();
      return StatementTokenKind::sign;
    }
    if (kShort.find(peek()) == std::string_view::npos) return std::nullopt;
    ++at_;
    return StatementTokenKind::sign;
  }

  std::string_view sql_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<StatementToken>> statement_tokens(std::string_view sql) {
  return Reader(sql).read();
}

std::string name_of(const StatementToken& token) {
  if (token.kind != StatementTokenKind::quoted) return std::string(token.text);
  const char quote = token.text.front();
  std::string name;
  for (std::size_t i = 1; i + 1 < token.text.size(); ++i) {
    name += token.text[i];
    if (quote != '[' && token.text[i] == quote) ++i;  // written twice
  }
  return name;
}

}  // namespace cinderscope
