// SQL's spelling as SQLite reads it: words, texts, numbers, comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

enum class SqlTokenKind : std::uint8_t {
  word,       // a name, unless it is a keyword
  keyword,    // of those that the program's dialect allows
  name,       // in quotes: "…", `…`, […]
  text,       // '…'
  blob,       // x'1f'
  number,     // also 0x1f
  parameter,  // :NAME, @NAME, $NAME, ?, ?1
  comment,
  sign,  // an operator, parenthesis, comma, dot or semicolon; else any other byte
};

struct SqlToken {
  std::size_t begin = 0, end = 0;  // bytes
  SqlTokenKind kind = SqlTokenKind::sign;
  bool open = false;  // what it begins with is not closed before the text ends
  bool odd = false;   // SQLite would not read it: 12ab, a colon by itself
};

// The first that begins at `from` or behind it; nullopt: only blanks follow.
std::optional<SqlToken> next_sql_token(std::string_view text, std::size_t from);
// All but blanks, in order. Any bytes.
std::vector<SqlToken> sql_tokens(std::string_view text);

inline std::string_view text_of(const SqlToken& token, std::string_view text) {
  return text.substr(token.begin, token.end - token.begin);
}
// The name that a word, or one in quotes, stands for.
std::string name_of(std::string_view written);

bool is_sql_keyword(std::string_view word);

// The column by which the last statement's rows are ordered, as far as that is one name; empty: by
// none.
struct SqlOrder {
  std::string_view column;
  bool descending = false;
};
SqlOrder sql_order_of(std::string_view text);

// The comment that the text begins with, in one line, without its marks: what the query is for.
std::string_view first_sql_comment(std::string_view text);

}  // namespace cinderscope
