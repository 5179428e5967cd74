// How an event names the operation or flow that it belongs to (section 3: id, id2, scope).
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::google_json {

// Appends text that is equal for equal operations; the arguments are raw values, `pid` is text.
// id2.local holds for one process only. True for id2.global, where the process does not matter.
bool append_operation_id(std::string& out, std::string_view id, std::string_view id2,
                         std::string_view scope, std::string_view pid);

// A pid, tid or id as it is compared and shown: "12", 12, 12.0 and +012 are all `12`; nothing and
// null are `-`.
std::string id_text(std::string_view value);

}  // namespace cinderscope::google_json
