#include "ingest/model/slice_set.h"

#include <algorithm>

namespace cinderscope {

TrackSlices slices_of(const Timeline& timeline, TrackId id) {
  const Track& track = timeline.tracks[index(id)];
  TrackSlices slices = {.track = id,
                        .kind = track.kind,
                        .process = track.process,
                        .thread = track.thread,
                        .has_overlaps = track.has_overlaps,
                        .tolerance_ns = track.tolerance_ns,
                        .blocks = track.blocks,
                        .instants = track.instants,
                        .name = track.name};
  if (track.thread != kNoThread) {
    slices.thread_name = timeline.threads[index(track.thread)].name;
    slices.tid = timeline.threads[index(track.thread)].tid;
  }
  if (index(track.process) < timeline.processes.size()) {
    const Process& process = timeline.processes[index(track.process)];
    slices.process_name = process.name;
    slices.pid = process.pid;
    if (process.file < timeline.files.size()) slices.file = timeline.files[process.file].name;
  }
  return slices;
}

std::shared_ptr<const SliceSet> slice_set_of(const Timeline& timeline) {
  auto set = std::make_shared<SliceSet>();
  set->axis = timeline.axis;
  set->strings = timeline.strings;
  set->flows = timeline.flows;
  set->tracks.reserve(timeline.tracks.size());
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (timeline.tracks[i].kind == TrackKind::counter) continue;
    set->tracks.push_back(slices_of(timeline, TrackId{i}));
  }
  return set;
}

bool is_measured(const TrackSlices& track, const Scope& scope) {
  if (scope.names_tracks()) return scope.has_track(track.track);
  if (track.kind == TrackKind::thread) return scope.slices != SlicesOf::samples;
  return track.kind == TrackKind::samples && scope.slices != SlicesOf::calls;
}

bool is_searched(const TrackSlices& track, const Scope& scope) {
  if (scope.names_tracks()) return scope.has_track(track.track);
  return scope.slices != (track.kind == TrackKind::samples ? SlicesOf::calls : SlicesOf::samples);
}

bool has_sample_tracks(const Timeline& timeline) {
  return std::ranges::count(timeline.tracks, TrackKind::samples, &Track::kind) > 0;
}

SlicesOf slices_worth_measuring(const Timeline& timeline, const Scope& scope) {
  if (scope.names_tracks() || timeline.sample_count == 0) return SlicesOf::calls;
  const auto has_slices = [&scope](const Track& track) {
    if (track.kind != TrackKind::thread || track.slice_count == 0) return false;
    const SliceRow& row = *track.busy_row();
    const std::uint64_t last =
        scope.end_ns == INT64_MAX ? row.count() : row.lower_bound(scope.end_ns);
    return last > 0 && row.end_ns(last - 1) > scope.begin_ns;
  };
  return std::ranges::any_of(timeline.tracks, has_slices) ? SlicesOf::calls : SlicesOf::samples;
}

SlicesOf slices_worth_searching(const Timeline& timeline, const Scope& scope) {
  const SlicesOf worth = slices_worth_measuring(timeline, scope);
  const bool other_records =
      timeline.async_slice_count > 0 || timeline.lifetime_count > 0 || timeline.instant_count > 0;
  return worth == SlicesOf::samples && other_records ? SlicesOf::both : worth;
}

}  // namespace cinderscope
