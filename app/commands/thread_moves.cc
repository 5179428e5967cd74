#include "app/commands/thread_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/thread_commands.h"
#include "render/layout/track_list.h"

namespace cinderscope {
namespace {

// What is moved, and the items that it can change places with: tracks of one group, or the groups
// themselves, each as its tracks.
struct Row {
  std::uint32_t item = 0;             // a track, or a group
  std::uint32_t first = 0, last = 0;  // its outermost tracks in the order
};

struct Anchor {
  std::uint32_t track = 0;
  bool before = true;
};

// `rows` from top to bottom; where `item` goes, or nothing if it stays.
std::optional<Anchor> place_for(const std::vector<Row>& rows, std::uint32_t item,
                                std::string_view verb, std::optional<std::uint32_t> beside) {
  const auto found = std::ranges::find(rows, item, &Row::item);
  if (found == rows.end()) return std::nullopt;
  if (beside) {
    const auto to = std::ranges::find(rows, *beside, &Row::item);
    if (to == rows.end() || to == found) return std::nullopt;
    return verb == "before" ? Anchor{to->first, true} : Anchor{to->last, false};
  }
  const bool at_top = found == rows.begin(), at_bottom = found + 1 == rows.end();
  if (verb == "up" && !at_top) return Anchor{(found - 1)->first, true};
  if (verb == "down" && !at_bottom) return Anchor{(found + 1)->last, false};
  if (verb == "top" && !at_top) return Anchor{rows.front().first, true};
  if (verb == "bottom" && !at_bottom) return Anchor{rows.back().last, false};
  return std::nullopt;
}

void move_in(std::vector<std::uint32_t>& order, const std::vector<Row>& rows, std::uint32_t item,
             const std::vector<std::uint32_t>& moved, std::string_view verb,
             std::optional<std::uint32_t> beside) {
  const auto place = place_for(rows, item, verb, beside);
  if (place) move_tracks(order, moved, place->track, place->before);
}

void move_pinned(TimelineState& state, std::uint32_t track, std::string_view verb,
                 std::optional<std::uint32_t> beside) {
  std::vector<Row> rows;
  for (const std::uint32_t each : state.pinned_tracks) rows.push_back({each, each, each});
  move_in(state.pinned_tracks, rows, track, {track}, verb, beside);
}

// Those that the gutter shows of one group.
std::vector<Row> rows_of_group(const Timeline& timeline, const TimelineState& state,
                               const TrackOrdering& ordering, std::uint32_t group) {
  const std::set<std::uint32_t> pinned(state.pinned_tracks.begin(), state.pinned_tracks.end());
  TrackFilter filter(timeline, state.filter);
  std::vector<Row> rows;
  for (const std::uint32_t track : ordering.tracks) {
    if (ordering.group_of[track] != group || pinned.contains(track)) continue;
    if (!is_shown(state, track) || !passes_search(state, track)) continue;
    const TrackGroup* facts = ordering.groups.empty() ? nullptr : &ordering.groups[group];
    if (filter.passes(timeline.tracks[track], facts)) rows.push_back({track, track, track});
  }
  return rows;
}

std::vector<Row> rows_of_heads(const Timeline& timeline, const TimelineState& state,
                               const TrackOrdering& ordering) {
  TrackList list;
  list.update(timeline, state);
  std::vector<bool> shown(ordering.groups.size(), false);
  for (const TrackRow& row : list.rows()) {
    if (row.kind == TrackRow::Kind::head) shown[row.group] = true;
  }
  std::vector<Row> rows;
  for (const std::uint32_t track : ordering.tracks) {
    const std::uint32_t group = ordering.group_of[track];
    if (!shown[group]) continue;
    if (rows.empty() || rows.back().item != group) rows.push_back({group, track, track});
    rows.back().last = track;
  }
  return rows;
}

std::optional<std::uint32_t> group_meant(const TrackOrdering& ordering, const MeantThreads& meant) {
  for (std::uint32_t i = 0; i < ordering.groups.size(); ++i) {
    const TrackGroup& group = ordering.groups[i];
    const bool found = group.is_process
                           ? !meant.processes.empty() && index(group.process) == meant.processes[0]
                           : !meant.groups.empty() && group.name == meant.groups[0];
    if (found) return i;
  }
  return std::nullopt;
}

}  // namespace

Status move_thread(std::string_view thread, std::string_view verb, std::string_view anchor,
                   const Timeline& timeline, TimelineState& state) {
  const Result<MeantThreads> moves = needed_threads(timeline, state, thread);
  if (!moves) return moves.error();
  const MeantThreads& meant = *moves;
  MeantThreads to;
  if (verb == "before" || verb == "after") {
    Result<MeantThreads> found = needed_threads(timeline, state, anchor);
    if (!found) return found.error();
    to = std::move(*found);
  }
  TrackOrdering ordering = track_ordering(timeline, state);
  if (meant.tracks.empty()) {
    const auto group = group_meant(ordering, meant);
    const auto beside = group_meant(ordering, to);
    if (!group || (!to.empty() && !beside))
      return refused("Only what has a head of its own can be moved.");
    std::vector<std::uint32_t> moved;
    for (const std::uint32_t track : ordering.tracks) {
      if (ordering.group_of[track] == *group) moved.push_back(track);
    }
    move_in(ordering.tracks, rows_of_heads(timeline, state, ordering), *group, moved, verb, beside);
    state.moved_tracks = std::move(ordering.tracks);
    return ok();
  }
  const std::uint32_t track = meant.tracks[0];
  std::optional<std::uint32_t> beside;
  if (!to.tracks.empty()) beside = to.tracks[0];
  const auto is_pinned = [&](std::uint32_t each) {
    return std::ranges::find(state.pinned_tracks, each) != state.pinned_tracks.end();
  };
  const std::uint32_t group = ordering.group_of[track];
  const bool together = !beside || (is_pinned(*beside) == is_pinned(track) &&
                                    (is_pinned(track) || ordering.group_of[*beside] == group));
  if (!together || (!to.empty() && !beside))
    return refused("A thread moves among those under its head.");
  if (is_pinned(track)) {
    move_pinned(state, track, verb, beside);
    return ok();
  }
  move_in(ordering.tracks, rows_of_group(timeline, state, ordering, group), track, {track}, verb,
          beside);
  state.moved_tracks = std::move(ordering.tracks);
  return ok();
}

}  // namespace cinderscope
