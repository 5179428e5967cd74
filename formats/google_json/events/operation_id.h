// How an event names the operation or flow that it belongs to (section 3: id, id2, scope).
#pragma once

#include <string>
#include <string_view>

#include "ingest/base/json/json_id.h"

namespace cinderscope::google_json {

// Appends text that is equal for equal operations; the arguments are raw values, `pid` is text.
// id2.local holds for one process only. True for id2.global, where the process does not matter.
bool append_operation_id(std::string& out, std::string_view id, std::string_view id2,
                         std::string_view scope, std::string_view pid);

using json::id_text;

}  // namespace cinderscope::google_json
