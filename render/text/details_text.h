// What Details tells of the selection, as text to copy.
#pragma once

#include <string>

#include "ingest/format/trace_source.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// A fact a line, then arguments, callers, flows and stack; empty if nothing is selected. Reads the
// record of the selection again if `source` is not null. UI thread.
std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source);

}  // namespace cinderscope
