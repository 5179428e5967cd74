// Times and durations in answers of queries, as the window writes them before anybody chose
// otherwise.
#pragma once

#include <cstdint>
#include <string>

#include "ingest/model/timeline.h"

namespace cinderscope {

// For QuerySettings; `time_ns` and `ns` are of the timeline's axis.
std::string shown_time(const Timeline& timeline, std::int64_t time_ns);
std::string shown_duration(const Timeline& timeline, std::int64_t ns);

}  // namespace cinderscope
