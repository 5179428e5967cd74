// Ties the points of flows to the slices they start from and arrive at.
#pragma once

#include <span>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// One point of a flow as the file tells it.
struct FlowEnd {
  ThreadId thread{};
  std::int64_t time_ns = 0;
  FlowBinding binding = FlowBinding::enclosing;
};

// Flows one behind the other, each with its `point_count` next points.
struct PendingFlows {
  struct Head {
    StringId name = kEmptyString;
    std::uint32_t point_count = 0;
    bool by_bind_id = false;
  };
  std::vector<Head> heads;
  // Of each point, as columns.
  std::vector<std::int64_t> time_ns;
  std::vector<ThreadId> thread;
  std::vector<FlowBinding> binding;

  void add(StringId name, bool by_bind_id, std::span<const FlowEnd> points);
};

// `timeline` must have its tracks. Enclosing: the deepest slice that covers the time, its end
// included if none goes on. Next: the first slice that begins at or after it.
// Up to `jobs` threads help.
void bind_flows(PendingFlows pending, unsigned jobs, Timeline& timeline);

}  // namespace cinderscope
