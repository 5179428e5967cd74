#include "app/places/named_slice.h"

#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/model/slice_nesting.h"

namespace cinderscope {

std::optional<NamedSlice> named_slice(const Timeline& timeline, const SliceRef& slice) {
  if (block_of(timeline, slice) == nullptr) return std::nullopt;
  std::optional<TrackName> track = track_name(timeline, slice.track);
  if (!track) return std::nullopt;
  const Slice found = slice_at(timeline, slice);
  return NamedSlice{.track = std::move(*track),
                    .depth = depth_of(timeline, slice) + 1,
                    .name = short_name(display_name(timeline, found.name)),
                    .begin_ns = found.begin_ns,
                    .duration_ns = found.duration_ns};
}

Result<WantedSlice> wanted_slice(const Timeline& timeline, const NamedSlice& named) {
  WantedSlice wanted{.name = named.name,
                     .tracks = {},
                     .which = WhichSlice::at_time,
                     .time_ns = named.begin_ns,
                     .text = named.name};
  if (const auto track = track_named(timeline, named.track)) {
    wanted.tracks = {{*track}};
    return wanted;
  }
  std::vector<TrackId> tracks;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    const bool is_thread = track.kind == TrackKind::thread && track.thread != kNoThread;
    const StringId name = is_thread ? timeline.threads[index(track.thread)].name : track.name;
    const bool fits =
        track.kind == named.track.kind && equals_in_any_case(timeline.text(name), named.track.name);
    if (fits) tracks.push_back(TrackId{i});
  }
  if (tracks.empty()) return refused("The call's thread is not in this trace.");
  wanted.tracks = std::move(tracks);
  return wanted;
}

SliceRef settled_slice(const Timeline& timeline, const NamedSlice& named, const SliceRef& found) {
  const SliceBlock* block = block_of(timeline, found);
  if (block == nullptr) return found;
  const Slice like = slice_at(timeline, found);
  SliceRef best = found;
  int best_fit = -1;
  for (std::uint32_t r = 0; r < block->rows.size(); ++r) {
    const SliceRow& row = block->rows[r];
    for (std::uint64_t i = row.lower_bound(like.begin_ns);
         i < row.count() && row.begin_ns(i) == like.begin_ns; ++i) {
      if (row.name(i) != like.name) continue;
      const SliceRef ref{found.track, found.block, r, i};
      const int fit = (depth_of(timeline, ref) + 1 == named.depth ? 1 : 0) +
                      (row.duration_ns(i) == named.duration_ns ? 2 : 0);
      if (fit <= best_fit) continue;
      best_fit = fit;
      best = ref;
    }
  }
  return best;
}

}  // namespace cinderscope
