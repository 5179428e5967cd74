// Errors of SQLite as users read them: where in their text, and what they may have meant.
#pragma once

#include <string>
#include <string_view>

#include "ingest/sql/query_run.h"

namespace cinderscope {

// Byte `offset` of the text as line and column, and the word there.
void set_place(QueryOutcome& outcome, std::string_view text, std::size_t offset);

// "Did you mean dur?" for "no such column: durr", from what the schema has; where a table is that
// only some traces have; empty where nothing is close.
std::string hint_for(std::string_view message, const QuerySchema& schema);

}  // namespace cinderscope
