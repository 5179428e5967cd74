#include "ingest/sql/grouped/statement_tokens.h"

#include <cstddef>

namespace cinderscope {

std::optional<std::vector<StatementToken>> statement_tokens(std::string_view sql) {
  std::vector<StatementToken> tokens;
  std::size_t at = 0;
  while (const auto token = next_sql_token(sql, at)) {
    at = token->end;
    const bool is_comment = token->kind == SqlTokenKind::comment;
    if (token->odd || (token->open && !is_comment)) return std::nullopt;
    if (is_comment) continue;
    const bool is_keyword = token->kind == SqlTokenKind::keyword;
    tokens.push_back({is_keyword ? SqlTokenKind::word : token->kind, text_of(*token, sql)});
    if (is_sign(tokens.back(), ";")) break;
  }
  return tokens;
}

}  // namespace cinderscope
