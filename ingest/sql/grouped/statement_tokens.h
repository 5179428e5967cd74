// The tokens of one statement, without what SQLite would pass over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/ascii.h"
#include "ingest/sql/sql_tokens.h"

namespace cinderscope {

struct StatementToken {
  SqlTokenKind kind = SqlTokenKind::word;  // neither comment nor keyword, which are words here
  std::string_view text;                   // as written
};

// Those of the first statement, with the semicolon at its end if there is one. nullopt: SQLite
// would not read it either, as a text without an end.
std::optional<std::vector<StatementToken>> statement_tokens(std::string_view sql);

inline std::string name_of(const StatementToken& token) {
  return name_of(token.text);
}
inline bool is_name(const StatementToken& token) {
  return token.kind == SqlTokenKind::word || token.kind == SqlTokenKind::name;
}
inline bool is_word(const StatementToken& token, std::string_view keyword) {
  return token.kind == SqlTokenKind::word && equals_in_any_case(token.text, keyword);
}
inline bool is_sign(const StatementToken& token, std::string_view sign) {
  return token.kind == SqlTokenKind::sign && token.text == sign;
}

}  // namespace cinderscope
