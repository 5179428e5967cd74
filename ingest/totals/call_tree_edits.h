// What somebody took out of a flame graph: functions left out, one looked at alone, recursion
// folded.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

struct CallTreeEdits {
  std::vector<StringId> dropped;  // calls of these names are left out, with all calls inside them
  std::vector<StringId> focused;  // not empty: only calls of these names and what they call
  bool folds_recursion = false;   // a function that calls itself is one node

  bool empty() const { return dropped.empty() && focused.empty() && !folds_recursion; }
};

// A top-down tree with the edits made, in this order: calls are dropped, then those of interest
// become outermost, then direct recursion is folded: the inner call's self time and callees become
// those of the outer one, which is counted once. Callers lose the time that was dropped inside
// them. Any thread; `whole` is false once cancelled.
AggregatedCallTree edited(const AggregatedCallTree& tree, const CallTreeEdits& edits,
                          const std::atomic<bool>& cancelled, std::size_t most = kMaxCallTreeNodes);

}  // namespace cinderscope
