// What a session says only where there is something to say.
#pragma once

#include "ingest/base/json/json_value.h"

namespace cinderscope {

// The tab `theirs` as it was read, without those members of ours that `ours`, the tab as it is
// written now, does not have any more: somebody took them back, so they are none that a newer
// version wrote (product-sessions.md 3, "Robust"). Members that are not known stay.
JsonValue without_taken_back(const JsonValue& ours, JsonValue theirs);

}  // namespace cinderscope
