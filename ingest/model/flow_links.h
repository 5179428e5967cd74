// From slice to slice along flows: what leads to a slice, what it leads to, all that is connected.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ingest/model/picked_slices.h"
#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// The points that are bound to a slice, as indices into Flows::points.
std::vector<std::uint32_t> points_of(const Flows& flows, const SliceRef& slice);

// From one slice of a flow to the next one. Points without a slice are passed over, and neighbours
// in the same slice are one.
struct FlowLink {
  std::uint32_t flow = 0;
  std::uint64_t from = 0, to = 0;  // indices into Flows::points
  bool operator==(const FlowLink&) const = default;
};

struct FlowLinks {
  std::vector<FlowLink> in, out;  // by the time at the other end
  bool empty() const { return in.empty() && out.empty(); }
};
FlowLinks flow_links(const Timeline& timeline, const SliceRef& slice);

// The links from slice to slice that lead to this one and on from it, the nearest first, at most
// `most`.
struct FlowChain {
  std::vector<FlowLink> links;
  bool whole = true;  // false: there are more
};
FlowChain flow_chain(const Flows& flows, const SliceRef& slice, std::size_t most);

// How many points of flows are bound to slices inside this one, itself left out. `has_overlaps`: as
// its track says.
std::uint64_t points_inside(const Flows& flows, const SliceBlock& block, const SliceRef& slice,
                            bool has_overlaps);

// The slice, what it leads to and what leads to it, over any number of slices between them. Flows
// of the slices inside it are its own. Any thread; incomplete once cancelled.
PickedSlices connected_slices(const SliceSet& slices, const SliceRef& slice,
                              const std::atomic<bool>* cancelled = nullptr);

// The slices of the scope's set, whatever its range and threads.
PickedSlices slices_of_set(const SliceSet& slices, const Scope& scope,
                           const std::atomic<bool>* cancelled = nullptr);

}  // namespace cinderscope
