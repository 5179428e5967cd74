#include "app/picture/session_state.h"

#include <algorithm>
#include <span>

#include "app/places/named_slice.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/typed_slice.h"

namespace cinderscope {
namespace {

std::vector<TrackId> tracks_of(const Timeline& timeline, const std::vector<TrackName>& names) {
  const std::vector<TrackName>* const list = &names;
  std::vector<TrackId> tracks;
  for (const auto& [name, track] : tracks_named(timeline, std::span(&list, 1))) {
    tracks.push_back(TrackId(track));
  }
  std::ranges::sort(tracks);
  return tracks;
}

SliceRef slice_named(const Timeline& timeline, const NamedSlice& named) {
  const Result<WantedSlice> wanted = wanted_slice(timeline, named);
  if (!wanted) return {};
  const Result<SliceRef> found = find_slice(*slice_set_of(timeline), *wanted);
  return found ? settled_slice(timeline, named, *found) : SliceRef{};
}

}  // namespace

void show_as_saved(const SessionTab& saved, const Timeline& timeline, TimelineState& state) {
  restore(saved.view, timeline, state);
  state.filter = saved.filter;
  for (const TrackId track : tracks_of(timeline, saved.solo)) {
    state.solo_tracks.insert(index(track));
  }
  if (saved.time_shown == "clock") state.time_shown = TimeShown::clock;
  if (saved.time_shown == "day") state.time_shown = TimeShown::time_of_day;
  if (saved.selected) state.selected = slice_named(timeline, *saved.selected);
}

Scope saved_scope(const SessionTab& saved, const Timeline& timeline) {
  Scope scope;
  if (saved.scope.range) {
    scope.begin_ns = saved.scope.range->begin_ns;
    scope.end_ns = saved.scope.range->end_ns;
  }
  scope.tracks = tracks_of(timeline, saved.scope.threads);
  return scope;
}

}  // namespace cinderscope
