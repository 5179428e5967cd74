// What was odd or wrong about a trace, as `info --json` and `state` tell it.
#pragma once

#include "ingest/base/diagnostics.h"
#include "ingest/base/json_writer.h"

namespace cinderscope {

// An array of objects, sorted by code.
void write_diagnostics(JsonWriter& out, const Diagnostics& diagnostics);

}  // namespace cinderscope
