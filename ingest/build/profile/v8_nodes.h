// Nodes of V8's CPU profiles as events tell them: JSON objects in an array.
#pragma once

#include <string_view>

#include "ingest/build/profile/v8_profile.h"

namespace cinderscope {

// Adds them; what is no object is skipped. A node names its parent, or its children, by id: a
// json::id_text(), as samples have it.
void add_v8_nodes(V8Profile& profile, std::string_view nodes);

}  // namespace cinderscope
