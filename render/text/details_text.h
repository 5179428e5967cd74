// What Details tells of the selection, as text to copy.
#pragma once

#include <string>
#include <vector>

#include "ingest/format/trace_source.h"
#include "render/base/timeline_state.h"
#include "render/text/selection_facts.h"

namespace cinderscope {

// What is known of the selection: its name, facts, arguments, callers, flows and stack. Empty if
// nothing is selected. Long texts are sentences. Reads the record of the selection again if
// `source` is not null. UI thread.
std::vector<Fact> details_facts(const Timeline& timeline, const TimelineState& state,
                                const TraceSource* source);
// The same, a fact a line; long texts stand below their titles.
std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source);

}  // namespace cinderscope
