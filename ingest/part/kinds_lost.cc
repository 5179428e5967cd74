#include "ingest/part/kinds_lost.h"

namespace cinderscope {

void count_all_but_slices(const PartReader& part, LossReport& losses) {
  for (const PartTrack& track : part.tracks()) {
    switch (track.kind) {
      case TrackKind::thread:
      case TrackKind::marks:
        part.count_lost(loss::kInstants, track, losses);
        break;
      case TrackKind::async:
        part.count_lost(loss::kAsync, track, losses);
        part.count_lost(loss::kSteps, track, losses);
        break;
      case TrackKind::samples:
        break;
      case TrackKind::counter:
        part.count_lost(loss::kCounters, track, losses);
        break;
      case TrackKind::calls:
        part.count_lost(loss::kCalls, track, losses);
        break;
      case TrackKind::lifetimes:
        part.count_lost(loss::kLifetimes, track, losses);
        break;
    }
    if (track.kind == TrackKind::thread && track.sort_index != 0) losses.count(loss::kOrder);
  }
  for (const PartProcess& process : part.processes()) {
    losses.count(loss::kPauses, part.pauses(process).size());
    if (process.sort_index != 0) losses.count(loss::kOrder);
    if (!process.labels.empty()) losses.count(loss::kLabels);
  }
  losses.count(loss::kFlows, part.flow_count());
  losses.count(loss::kFlowEnds, part.flows_cut());
}

}  // namespace cinderscope
