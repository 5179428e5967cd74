#include "app/commands/thread_choices.h"

#include <algorithm>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/thread_commands.h"
#include "render/layout/track_list.h"

namespace cinderscope {
namespace {

// In the order of the gutter, the pinned ones first.
std::vector<std::uint32_t> shown_tracks(const Timeline& timeline, const TimelineState& state) {
  std::vector<std::uint32_t> order;
  TrackList pinned(TrackPart::pinned), main;
  for (TrackList* list : {&pinned, &main}) {
    list->update(timeline, state);
    for (const TrackRow& row : list->rows()) {
      if (row.track != kNoTrack) order.push_back(index(row.track));
    }
  }
  return order;
}

// Selects all from the anchor to `track`, or `track` alone where the anchor is hidden by now.
void select_to(std::uint32_t track, const Timeline& timeline, TimelineState& state) {
  const std::vector<std::uint32_t> order = shown_tracks(timeline, state);
  const auto place = [&](std::uint32_t of) { return std::ranges::find(order, of); };
  auto first = place(index(*state.selection_anchor)), last = place(track);
  if (first == order.end() || last == order.end()) {
    state.selected_tracks = {track};
    state.selection_anchor = TrackId(track);
    return;
  }
  if (last < first) std::swap(first, last);
  state.selected_tracks = IndexSet(std::set<std::uint32_t>(first, last + 1));
}

}  // namespace

Status select_threads(std::string_view how, std::string_view thread, const Timeline& timeline,
                      TimelineState& state) {
  if (how == "none") {
    state.selected_tracks.clear();
    state.selection_anchor.reset();
    return ok();
  }
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  const std::vector<std::uint32_t> tracks = tracks_of(timeline, state, *meant);
  if (tracks.empty()) return refused("No thread is meant.");
  if (how == "to") {
    if (!state.selection_anchor) state.selection_anchor = TrackId(tracks.front());
    select_to(tracks.back(), timeline, state);
    return ok();
  }
  if (how == "only") state.selected_tracks.clear();
  const bool all = std::ranges::all_of(
      tracks, [&](std::uint32_t track) { return state.selected_tracks.contains(track); });
  for (const std::uint32_t track : tracks) {
    if (all) state.selected_tracks.erase(track);
    if (!all) state.selected_tracks.insert(track);
  }
  state.selection_anchor = TrackId(tracks.back());
  return ok();
}

Status limit_depth(std::uint32_t rows, std::string_view thread, const Timeline& timeline,
                   TimelineState& state) {
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  for (const std::uint32_t track : tracks_of(timeline, state, *meant)) {
    if (rows == 0) state.depth_limits.erase(track);
    if (rows > 0) state.depth_limits[track] = rows;
  }
  return ok();
}

}  // namespace cinderscope
