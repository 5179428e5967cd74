#include "ingest/model/slice_set.h"

namespace cinderscope {

std::shared_ptr<const SliceSet> slice_set_of(const Timeline& timeline) {
  auto set = std::make_shared<SliceSet>();
  set->axis = timeline.axis;
  set->strings = timeline.strings;
  set->tracks.reserve(timeline.tracks.size());
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.kind == TrackKind::counter) continue;
    TrackSlices& slices = set->tracks.emplace_back();
    slices = {.track = TrackId{i},
              .kind = track.kind,
              .process = track.process,
              .thread = track.thread,
              .has_overlaps = track.has_overlaps,
              .blocks = track.blocks,
              .instants = track.instants,
              .name = track.name};
    if (track.thread != kNoThread) {
      slices.thread_name = timeline.threads[index(track.thread)].name;
      slices.tid = timeline.threads[index(track.thread)].tid;
    }
    if (index(track.process) < timeline.processes.size()) {
      slices.process_name = timeline.processes[index(track.process)].name;
      slices.pid = timeline.processes[index(track.process)].pid;
    }
  }
  return set;
}

}  // namespace cinderscope
