// JSON that people keep under version control: laid out by lines, and with what this version does
// not know left as it was.
#pragma once

#include <string>

#include "ingest/base/json/json_value.h"

namespace cinderscope {

// `ours` with the members that only `theirs` has, at every level, each behind the member that it
// followed. Elements of arrays that are objects are the same where their "id" is, else their
// "trace", else their "time".
JsonValue with_unknown(JsonValue ours, const JsonValue& theirs);

// Indented by two blanks, one member a line where it does not fit into one with others.
std::string laid_out(const JsonValue& value);

// "line 3, column 7" of a byte.
std::string line_and_column(std::string_view text, std::size_t offset);

}  // namespace cinderscope
