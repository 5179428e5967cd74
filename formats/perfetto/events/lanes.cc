#include "formats/perfetto/events/lanes.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

namespace cinderscope::perfetto {

namespace {

// Which siblings a track shares its heading with: by name, by key, or none.
std::string sibling_key(const DescribedTrack& track) {
  const char use = track.use == TrackUse::state ? 's' : 'a';
  switch (track.merging) {
    case kMergeNever:
      return fmt::format("{}u{}", use, track.uuid);
    case kMergeByKey:
      return fmt::format("{}k{}:{}", use, track.parent, track.merge_key);
    default:
      return fmt::format("{}n{}:{}", use, track.parent, track.name);
  }
}

}  // namespace

void Lanes::add_described(const TrackTable& tracks) {
  std::unordered_map<std::string, std::uint32_t> siblings;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const DescribedTrack& track = tracks[i];
    Lane lane{.process = track.process, .above = track.above, .heading = track.name};
    // Tracks right below a process share headings with what no descriptor tells of.
    if (!track.above.empty() || track.merging == kMergeNever || track.merging == kMergeByKey) {
      const auto next = static_cast<std::uint32_t>(siblings.size());
      lane.siblings = siblings.try_emplace(sibling_key(track), next).first->second;
    }
    switch (track.use) {
      case TrackUse::thread:
        lane.kind = LaneKind::thread;
        lane.thread = track.thread;
        break;
      case TrackUse::counter:
        lane.kind = LaneKind::counter;
        lane.unit = track.unit;
        break;
      case TrackUse::state:
        lane.kind = LaneKind::state;
        break;
      default:
        break;
    }
    const std::uint32_t parent = track.parent == 0 ? kNone : tracks.find(track.parent);
    if (parent != kNone && tracks[parent].ordering != 0) {
      lane.parent = parent;
      lane.ordering = tracks[parent].ordering;
      lane.rank = track.rank;
    }
    lanes_.push_back(std::move(lane));
  }
}

}  // namespace cinderscope::perfetto
