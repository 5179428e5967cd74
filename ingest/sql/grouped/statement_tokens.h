// SQL text as tokens, as SQLite reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/ascii.h"

namespace cinderscope {

enum class StatementTokenKind : std::uint8_t {
  word,      // keyword or name
  quoted,    // a name in "", `` or []
  text,      // 'text'
  number,    // also 0x1f
  blob,      // x'1f'
  variable,  // ?, ?1, :a, @a, $a
  sign,      // an operator, parenthesis, comma, dot or semicolon
};

struct StatementToken {
  StatementTokenKind kind = StatementTokenKind::word;
  std::string_view text;  // as written
};

// Those of the first statement, with the semicolon at its end if there is one, without blanks and
// comments. nullopt: SQLite would not read it either, as a text without an end.
std::optional<std::vector<StatementToken>> statement_tokens(std::string_view sql);

// The name that a word or a quoted token stands for.
std::string name_of(const StatementToken& token);

inline bool is_word(const StatementToken& token, std::string_view keyword) {
  return token.kind == StatementTokenKind::word && equals_in_any_case(token.text, keyword);
}
inline bool is_sign(const StatementToken& token, std::string_view sign) {
  return token.kind == StatementTokenKind::sign && token.text == sign;
}

}  // namespace cinderscope
