// What was odd or wrong about a trace, as `info --json` and `state` tell it.
#pragma once

#include "ingest/base/diagnostics.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/input/file_change.h"

namespace cinderscope {

// {"file": its name, "how": "overwritten"}, or null where nothing has changed.
void write_change(JsonWriter& out, const DiskChange& change);

// An array of objects, sorted by code.
void write_diagnostics(JsonWriter& out, const Diagnostics& diagnostics);

}  // namespace cinderscope
