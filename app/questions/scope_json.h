// A Scope as JSON: {"range": [from, to] or null, "threads": [tracks], "slices": "calls", "set":
// null}.
#pragma once

#include <string_view>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/result.h"
#include "ingest/model/scope.h"

namespace cinderscope {

// An end of the range that is open is null. No threads: all of them.
void write_scope(JsonWriter& out, const Scope& scope);

// Refuses what check_scope() refuses. Members that are missing have their defaults.
Result<Scope> scope_from_json(std::string_view json);

}  // namespace cinderscope
