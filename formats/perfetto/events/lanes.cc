#include "formats/perfetto/events/lanes.h"

namespace cinderscope::perfetto {

void Lanes::add_described(const TrackTable& tracks) {
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const DescribedTrack& track = tracks[i];
    Lane lane{.process = track.process, .heading = track.heading};
    switch (track.use) {
      case TrackUse::thread:
        lane.kind = LaneKind::thread;
        lane.thread = track.thread;
        break;
      case TrackUse::counter:
        lane.kind = LaneKind::counter;
        break;
      case TrackUse::state:
        lane.kind = LaneKind::state;
        break;
      default:
        break;
    }
    lanes_.push_back(std::move(lane));
  }
}

}  // namespace cinderscope::perfetto
