// What was odd or wrong about a trace, as `info --json` and `state` tell it.
#pragma once

#include "app/store/json_writer.h"
#include "ingest/base/diagnostics.h"

namespace cinderscope {

// An array of objects, sorted by code.
void write_diagnostics(JsonWriter& out, const Diagnostics& diagnostics);

}  // namespace cinderscope
