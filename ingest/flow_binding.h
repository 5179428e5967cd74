// Ties the points of flows to the slices they start from and arrive at.
#pragma once

#include <vector>

#include "ingest/timeline.h"

namespace cinderscope {

// One point of a flow as the file tells it.
struct FlowEnd {
  ThreadId thread{};
  std::int64_t time_ns = 0;
  FlowBinding binding = FlowBinding::enclosing;
};

struct PendingFlow {
  StringId name = kEmptyString;
  bool by_bind_id = false;
  std::vector<FlowEnd> points;
};

// `timeline` must have its tracks. Enclosing: the deepest slice that covers the time, its end
// included if none goes on. Next: the first slice that begins at or after it.
void bind_flows(const std::vector<PendingFlow>& pending, Timeline& timeline);

}  // namespace cinderscope
