// Ids in JSON: numbers and texts that mean the same are the same text.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::json {

// A raw value that is a pid, tid or id as it is compared and shown: "12", 12, 12.0 and +012 are all
// `12`; nothing and null are `-`.
std::string id_text(std::string_view value);

}  // namespace cinderscope::json
