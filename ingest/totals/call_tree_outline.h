// Which chains of callers are to have nodes in a call tree before it is full: what goes on at
// places spread over all of the scope.
#pragma once

#include <atomic>
#include <cstddef>

#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"
#include "ingest/totals/call_tree_nodes.h"

namespace cinderscope {

// Of a trace with more chains than nodes those that come first would have all of them, and of what
// comes later hardly anything had a box. So some nodes are made for calls that are open at places
// all over the scope: half of these spread evenly over the calls, half over time. They count
// nothing yet. As long as the tree is not full a chain that has no node has had no call, so numbers
// stay exact. `most`: the nodes of the whole tree, of which a quarter is used for this, and which
// says how many places are looked at. The same for any number of threads.
void add_outline(const SliceSet& slices, const Scope& scope, const std::atomic<bool>& cancelled,
                 std::size_t most, NodeFinder& finder);

}  // namespace cinderscope
