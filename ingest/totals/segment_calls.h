// Adds the calls of a track whose rows nest to a call tree: one stretch of time after the other,
// and of that row by row. Callers are found in columns that lie in a core's cache, and which nodes
// a row needs is known before it gets to them, so that many come from memory at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ingest/model/scope.h"
#include "ingest/totals/call_tree_nodes.h"
#include "ingest/totals/segment_columns.h"

namespace cinderscope {

class SegmentCalls {
 public:
  // `ends_when_full`: `stop` is set once something was left out.
  SegmentCalls(AggregatedCallTree& out, NodeFinder& finder, const Scope& scope, bool ends_when_full,
               std::atomic<bool>& stop, const SegmentSize& size = {})
      : out_(out),
        finder_(finder),
        scope_(scope),
        ends_when_full_(ends_when_full),
        stop_(stop),
        size_(size) {}

  // Others have to be walked.
  static bool can_add(const TrackSlices& track) {
    return !track.has_overlaps && !is_packed(track.kind) && track.blocks.size() == 1 &&
           track.tolerance_ns == 0;
  }
  // As walk_call_tree() finds callers and self times. Ends early once `cancelled`, then `stop` is
  // set, too.
  void add(const TrackSlices& track, const std::atomic<bool>& cancelled);

 private:
  void add_listed(const TimeSegment& segment);
  void add_rows(const TimeSegment& segment);
  void add_walked(const TimeSegment& segment);
  std::uint32_t caller_of(std::size_t slot) const;
  CallPlace add_begun(CallPlace caller, StringId name, std::int64_t duration_ns,
                      const SliceRef& slice);
  void move_self(CallPlace call, CallPlace caller, std::int64_t ns);

  AggregatedCallTree& out_;
  NodeFinder& finder_;
  const Scope& scope_;
  bool ends_when_full_;
  std::atomic<bool>& stop_;
  SegmentSize size_;
  SegmentColumns columns_;
  std::vector<CallPlace> places_;  // by slot
};

}  // namespace cinderscope
