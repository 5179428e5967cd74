#include "ingest/sql/statements.h"

#include "ingest/sql/sql_tokens.h"

namespace cinderscope {

std::vector<StatementRange> statements_of(std::string_view text) {
  std::vector<StatementRange> all;
  bool begun = false;
  for (const SqlToken& token : sql_tokens(text)) {
    if (token.kind == SqlTokenKind::comment) continue;
    const bool ends = text_of(token, text) == ";";
    if (!begun && !ends) all.push_back({token.begin, token.end});
    if (begun) all.back().end = token.end;
    begun = !ends;
  }
  // One that is not ended goes on to the end, so that its errors may lie there.
  if (begun) all.back().end = text.size();
  return all;
}

StatementRange statement_at(std::string_view text, std::size_t at) {
  StatementRange found;
  for (const StatementRange& each : statements_of(text)) {
    if (each.begin > at && found.end > 0) break;
    found = each;
    if (at < each.end) break;
  }
  return found;
}

}  // namespace cinderscope
