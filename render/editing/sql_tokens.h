// What the editor knows of SQL's spelling: words, texts, numbers, comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cinderscope {

enum class SqlTokenKind : std::uint8_t {
  word,     // a name, unless it is a keyword
  keyword,  // of those that the program's dialect allows
  name,     // in quotes: "…", `…`, […]
  text,     // '…'
  number,
  parameter,  // :NAME
  comment,
  sign,
};

struct SqlToken {
  std::size_t begin = 0, end = 0;  // bytes
  SqlTokenKind kind = SqlTokenKind::sign;
  bool open = false;  // what it begins with is not closed before the text ends
};

// All but blanks, in order. Any bytes.
std::vector<SqlToken> sql_tokens(std::string_view text);

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
