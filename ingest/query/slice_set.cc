#include "ingest/query/slice_set.h"

namespace cinderscope {

std::shared_ptr<const SliceSet> slice_set_of(const Timeline& timeline) {
  auto set = std::make_shared<SliceSet>();
  set->axis = timeline.axis;
  set->strings = timeline.strings;
  set->tracks.reserve(timeline.tracks.size());
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.kind == TrackKind::counter) continue;
    set->tracks.push_back({.track = TrackId{i},
                           .kind = track.kind,
                           .process = track.process,
                           .thread = track.thread,
                           .has_overlaps = track.has_overlaps,
                           .blocks = track.blocks,
                           .instants = track.instants});
  }
  return set;
}

}  // namespace cinderscope
