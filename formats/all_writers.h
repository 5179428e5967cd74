// The list of formats this program writes.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/part/trace_writer.h"

namespace cinderscope {

const std::vector<const TraceWriter*>& all_writers();
const TraceWriter* writer_named(std::string_view name);  // null if there is none
// The one whose files end so, packed or not; null for other names.
const TraceWriter* writer_of_name(std::string_view file_name);

}  // namespace cinderscope
