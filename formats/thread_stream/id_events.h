// Asynchronous calls and flows: events of all threads, put together by name and id.
#pragma once

#include <vector>

#include "formats/thread_stream/oddities.h"
#include "formats/thread_stream/stream_load.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::thread_stream {

// Events of one stream after the other. Open calls last to `end_ns`.
void add_async_calls(std::vector<IdEvent> events, ProcessId process, std::int64_t end_ns,
                     TimelineBuilder& out, OddityCounts& odd);
void add_flows(std::vector<IdEvent> events, TimelineBuilder& out, OddityCounts& odd);

}  // namespace cinderscope::thread_stream
