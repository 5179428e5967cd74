#include "app/session/timeline_swap.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace cinderscope {
namespace {

using ProcessKey = std::string;
using TrackKey = std::tuple<TrackKind, std::string, std::string, std::string>;

// Ids of two loads do not compare, texts do. Equal keys are told apart by their order.
template <class Key>
class Renumbering {
 public:
  void add_old(Key key, std::uint32_t id) { old_[{key, old_seen_[key]++}] = id; }
  void add_new(Key key, std::uint32_t id) {
    const auto found = old_.find({key, new_seen_[key]++});
    if (found != old_.end()) new_of_old_[found->second] = id;
  }
  std::optional<std::uint32_t> operator()(std::uint32_t old_id) const {
    const auto found = new_of_old_.find(old_id);
    return found == new_of_old_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<Key, std::uint32_t> old_seen_, new_seen_;
  std::map<std::pair<Key, std::uint32_t>, std::uint32_t> old_;
  std::map<std::uint32_t, std::uint32_t> new_of_old_;
};

TrackKey track_key(const Timeline& timeline, const Track& track) {
  std::string tid;
  if (track.thread != kNoThread) tid = timeline.text(timeline.threads[index(track.thread)].tid);
  return {track.kind, std::string(timeline.text(timeline.processes[index(track.process)].pid)), tid,
          std::string(timeline.text(track.name))};
}

template <class Key>
std::set<std::uint32_t> renumbered(const std::set<std::uint32_t>& ids, const Renumbering<Key>& to) {
  std::set<std::uint32_t> out;
  for (const std::uint32_t id : ids) {
    if (const auto now = to(id)) out.insert(*now);
  }
  return out;
}

template <class Key>
std::vector<std::uint32_t> renumbered(const std::vector<std::uint32_t>& ids,
                                      const Renumbering<Key>& to) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t id : ids) {
    if (const auto now = to(id)) out.push_back(*now);
  }
  return out;
}

// True if the state names no process or track by its number, so that none has to be found again.
bool names_nothing(const TimelineState& state) {
  return state.collapsed_processes.empty() && state.collapsed_tracks.empty() &&
         state.hidden_tracks.empty() && state.pinned_tracks.empty() && state.moved_tracks.empty() &&
         state.solo_tracks.empty() && state.selected_tracks.empty() && state.depth_limits.empty() &&
         !state.selected && !state.selected_instant && !state.selected_counter;
}

// Slices that begin at the same time follow each other, so the search goes through all of these.
std::optional<std::uint64_t> same_slice(const SliceRow& row, const Slice& wanted,
                                        std::string_view name, const Timeline& timeline) {
  for (std::uint64_t i = row.lower_bound(wanted.begin_ns);
       i < row.count() && row.begin_ns(i) == wanted.begin_ns; ++i) {
    const Slice slice = row.slice(i);
    if (slice.record == wanted.record && timeline.text(slice.name) == name) return i;
  }
  return std::nullopt;
}

SliceRef found_again(const SliceRef& ref, const Timeline& from, const Timeline& to, TrackId track) {
  const SliceBlock* old_block = block_of(from, ref);
  // Lazily loaded blocks are gone after a reload.
  if (old_block == nullptr || index(ref.block) != 0) return {};
  const Slice wanted = slice_at(from, ref);
  const std::string_view name = from.text(wanted.name);
  const SliceBlock& root = to.tracks[index(track)].root();
  for (std::uint32_t row = 0; row < root.rows.size(); ++row) {
    if (const auto slice = same_slice(root.rows[row], wanted, name, to)) {
      return {track, BlockId{0}, row, *slice};
    }
  }
  return {};
}

// Steps go with their slices from row to row.
InstantRef found_again(const Slice& wanted, std::string_view name, const Timeline& to,
                       TrackId track) {
  const auto rows =
      static_cast<std::uint32_t>(to.tracks[index(track)].root().nested_instants.size());
  for (std::uint32_t row = 0; row < std::max(rows, 1u); ++row) {
    InstantRef found{track, 0, BlockId{}, row};
    const SliceRow* instants = instants_of(to, found);
    if (instants == nullptr) continue;
    if (const auto instant = same_slice(*instants, wanted, name, to)) {
      found.instant = *instant;
      return found;
    }
  }
  return {};
}

// Of equal depth: records of a profile are the numbers of its calls.
SliceRef found_by_record(const SliceRef& old, const Timeline& from, const Timeline& to,
                         TrackId track) {
  if (block_of(from, old) == nullptr || old.block != BlockId{}) return {};
  const Slice wanted = slice_at(from, old);
  const SliceBlock& root = to.tracks[index(track)].root();
  if (old.row >= root.rows.size()) return {};
  const SliceRow& row = root.rows[old.row];
  for (std::uint64_t i = 0; i < row.count(); ++i) {
    const Slice slice = row.slice(i);
    if (slice.record == wanted.record && to.text(slice.name) == from.text(wanted.name)) {
      return {track, BlockId{}, old.row, i};
    }
  }
  return {};
}

}  // namespace

bool is_weighed_anew(const Timeline& from, const Timeline& to) {
  return !from.weights.empty() && from.weights == to.weights && from.weight != to.weight;
}

TimelineState carried_over(const TimelineState& state, const Timeline& from, const Timeline& to) {
  TimelineState out = state;
  out.hovered = {};
  out.hovered_merged.reset();
  out.lit_flow.reset();
  out.selection_anchor.reset();
  out.matched_tracks.reset();  // until the search has gone through the new timeline
  if (names_nothing(state)) return out;
  Renumbering<ProcessKey> processes;
  Renumbering<TrackKey> tracks;
  for (std::uint32_t i = 0; i < from.processes.size(); ++i) {
    processes.add_old(std::string(from.text(from.processes[i].pid)), i);
  }
  for (std::uint32_t i = 0; i < to.processes.size(); ++i) {
    processes.add_new(std::string(to.text(to.processes[i].pid)), i);
  }
  for (std::uint32_t i = 0; i < from.tracks.size(); ++i) {
    tracks.add_old(track_key(from, from.tracks[i]), i);
  }
  for (std::uint32_t i = 0; i < to.tracks.size(); ++i) {
    tracks.add_new(track_key(to, to.tracks[i]), i);
  }

  out.collapsed_processes = renumbered(state.collapsed_processes, processes);
  out.collapsed_tracks = renumbered(state.collapsed_tracks, tracks);
  out.hidden_tracks = renumbered(state.hidden_tracks, tracks);
  out.pinned_tracks = renumbered(state.pinned_tracks, tracks);
  out.moved_tracks = renumbered(state.moved_tracks, tracks);
  out.solo_tracks = renumbered(state.solo_tracks, tracks);
  out.selected_tracks = renumbered(state.selected_tracks, tracks);
  out.depth_limits.clear();
  for (const auto& [track, limit] : state.depth_limits) {
    if (const auto now = tracks(track)) out.depth_limits[*now] = limit;
  }
  out.selected = {};
  out.selected_instant = {};
  out.selected_counter.track = kNoTrack;
  if (state.selected_counter) {
    const auto track = tracks(index(state.selected_counter.track));
    if (track) out.selected_counter.track = TrackId(*track);
  }
  if (state.selected) {
    if (const auto track = tracks(index(state.selected.track))) {
      out.selected = is_weighed_anew(from, to)
                         ? found_by_record(state.selected, from, to, TrackId(*track))
                         : found_again(state.selected, from, to, TrackId(*track));
    }
  }
  if (state.selected_instant) {
    // Children read later are not there yet.
    const SliceRow* old_row = instants_of(from, state.selected_instant);
    const auto track = tracks(index(state.selected_instant.track));
    if (track && old_row != nullptr && state.selected_instant.block == BlockId{}) {
      const Slice wanted = old_row->slice(state.selected_instant.instant);
      out.selected_instant = found_again(wanted, from.text(wanted.name), to, TrackId(*track));
    }
  }
  return out;
}

}  // namespace cinderscope
