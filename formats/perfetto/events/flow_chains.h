// Puts the points of flows together.
#pragma once

#include <vector>

#include "formats/perfetto/events/event_sink.h"

namespace cinderscope::perfetto {

// Takes the points; `sink` knows which ends had nothing to close, and where the others bind.
void chain_flows(EventSink& sink, TimelineBuilder& out);

}  // namespace cinderscope::perfetto
