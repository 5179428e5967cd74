#include "render/layout/track_list.h"

#include <algorithm>
#include <cmath>

#include "ingest/base/ascii.h"

namespace cinderscope {

bool passes_search(const TimelineState& state, std::uint32_t track) {
  return !state.hide_without_matches || !state.matched_tracks ||
         state.matched_tracks->contains(track);
}

bool is_shown(const TimelineState& state, std::uint32_t track) {
  if (!state.solo_tracks.empty()) return state.solo_tracks.contains(track);
  return !state.hidden_tracks.contains(track);
}

TrackFilter::TrackFilter(const Timeline& timeline, std::string_view text)
    : timeline_(timeline), text_(ascii_lower(text)), process_known_(timeline.processes.size(), 0) {}

bool TrackFilter::contains(std::string_view text) const {
  const auto same = [](char a, char b) { return ascii_lower(a) == b; };
  return std::search(text.begin(), text.end(), text_.begin(), text_.end(), same) != text.end();
}

bool TrackFilter::passes(const Track& track, const TrackGroup* group) {
  if (text_.empty()) return true;
  const std::uint32_t at = index(track.process);
  if (process_known_[at] == 0) {
    const Process& process = timeline_.processes[at];
    const TimelineFile* file = file_of(timeline_, track.process);
    const bool found = contains(timeline_.text(process.name)) ||
                       contains(timeline_.text(process.pid)) ||
                       (file != nullptr && contains(file->name));
    process_known_[at] = found ? 2 : 1;
  }
  if (process_known_[at] == 2 || contains(timeline_.text(track.name))) return true;
  if (group != nullptr && !group->is_process && contains(group->name)) return true;
  const Thread* thread = thread_of(timeline_, track);
  return thread != nullptr &&
         (contains(timeline_.text(thread->name)) || contains(timeline_.text(thread->tid)));
}

// Compared in every frame, so nothing is copied unless it changed.
bool TrackList::OrderKey::take(const Timeline& timeline, const TimelineState& state,
                               std::uint64_t now) {
  const auto inputs_of = [&] {
    return std::tuple(timeline.strings.get(), timeline.tracks.data(), timeline.tracks.size(),
                      timeline.processes.size(), timeline.record_count, timeline.complete, now,
                      state.grouped, state.order);
  };
  if (inputs == inputs_of() && pattern == state.group_pattern && moved == state.moved_tracks) {
    return false;
  }
  inputs = inputs_of();
  pattern = state.group_pattern;
  moved = state.moved_tracks;
  return true;
}

bool TrackList::RowKey::take(const TimelineState& state) {
  const std::array now{state.collapsed_processes.print(), state.collapsed_tracks.print(),
                       state.hidden_tracks.print(), state.solo_tracks.print()};
  const bool searched = state.hide_without_matches && state.matched_tracks;
  const IndexSet::Print found = searched ? state.matched_tracks->print() : IndexSet::Print();
  if (prints == now && groups == state.collapsed_groups && pinned == state.pinned_tracks &&
      filter == state.filter && matched == found && only_matched == searched &&
      depth_limits == state.depth_limits) {
    return false;
  }
  matched = found;
  only_matched = searched;
  depth_limits = state.depth_limits;
  prints = now;
  groups = state.collapsed_groups;
  pinned = state.pinned_tracks;
  filter = state.filter;
  return true;
}

bool TrackList::update(const Timeline& timeline, const TimelineState& state,
                       std::uint64_t version) {
  const bool new_order = order_key_.take(timeline, state, version) || !built_;
  const bool new_rows = row_key_.take(state);
  if (!new_order && !new_rows) return false;
  built_ = true;
  collect_marks(timeline, state);
  if (part_ == TrackPart::pinned) {
    rebuild_pinned(timeline, state);
    return true;
  }
  if (new_order) ordering_ = track_ordering(timeline, state);
  sum_up_groups(timeline, state);
  rebuild(timeline, state);
  return true;
}

void TrackList::collect_marks(const Timeline& timeline, const TimelineState& state) {
  marks_.clear();
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (timeline.tracks[i].kind == TrackKind::marks && is_shown(state, i)) {
      marks_.push_back(TrackId{i});
    }
  }
}

void TrackList::sum_up_groups(const Timeline& timeline, const TimelineState& state) {
  group_totals_.assign(ordering_.groups.size(), {});
  if (group_totals_.empty()) return;
  for (const std::uint32_t id : ordering_.tracks) {
    const Track& track = timeline.tracks[id];
    if (track.kind == TrackKind::counter) continue;
    GroupTotals& totals = group_totals_[ordering_.group_of[id]];
    (is_shown(state, id) ? totals.shown : totals.hidden) += 1;
    if (track.kind != TrackKind::samples) totals.calls += track.slice_count;
  }
}

void TrackList::rebuild(const Timeline& timeline, const TimelineState& state) {
  rows_.clear();
  row_of_track_.assign(timeline.tracks.size(), 0);
  members_.clear();
  filtered_tracks_ = 0;
  height_px_ = 0;
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::size_t head = kNone;  // of the current group
  TrackFilter filter(timeline, state.filter);
  std::vector<bool> pinned(timeline.tracks.size(), false);
  for (const std::uint32_t track : state.pinned_tracks) {
    if (track < pinned.size()) pinned[track] = true;
  }
  for (const std::uint32_t id : ordering_.tracks) {
    const Track& track = timeline.tracks[id];
    const std::uint32_t group = ordering_.group_of[id];
    const bool grouped = !ordering_.groups.empty();
    const bool solo = !state.solo_tracks.empty();
    if (!filter.passes(track, grouped ? &ordering_.groups[group] : nullptr)) continue;
    ++filtered_tracks_;
    if (pinned[id] || (solo && !state.solo_tracks.contains(id))) continue;
    if (!passes_search(state, id)) continue;
    if (grouped && ordering_.groups[group].headless) {
      head = kNone;
    } else if (grouped && (head == kNone || rows_[head].group != group)) {
      head = rows_.size();
      add_head(state, track, group);
    }
    if (!is_shown(state, id)) {
      if (head != kNone) ++rows_[head].hidden_tracks;
      continue;
    }
    if (head != kNone && !state.collapsed_tracks.contains(id)) {
      rows_[head].tracks_collapsed = false;
    }
    if (head == kNone || !rows_[head].collapsed) {
      add_track(timeline, state, TrackId(id));
    } else {
      members_.push_back(id);
      rows_[head].end_member = static_cast<std::uint32_t>(members_.size());
    }
  }
}

void TrackList::rebuild_pinned(const Timeline& timeline, const TimelineState& state) {
  rows_.clear();
  row_of_track_.assign(timeline.tracks.size(), 0);
  height_px_ = 0;
  for (const std::uint32_t id : state.pinned_tracks) {
    const bool known = id < timeline.tracks.size() && row_of_track_[id] == 0 &&
                       index(timeline.tracks[id].process) < timeline.processes.size();
    if (known && is_shown(state, id)) add_track(timeline, state, TrackId(id));
  }
}

void TrackList::add_head(const TimelineState& state, const Track& track, std::uint32_t group) {
  const TrackGroup& owner = ordering_.groups[group];
  TrackRow row;
  row.kind = TrackRow::Kind::head;
  row.collapsed = owner.is_process ? state.collapsed_processes.contains(index(owner.process))
                                   : state.collapsed_groups.contains(owner.name);
  row.process = track.process;
  row.group = group;
  row.tracks_collapsed = true;
  row.first_member = row.end_member = static_cast<std::uint32_t>(members_.size());
  row.y_px = height_px_;
  row.height_px = kProcessHeadPx;
  height_px_ += row.height_px;
  rows_.push_back(row);
}

void TrackList::add_track(const Timeline& timeline, const TimelineState& state, TrackId id) {
  const Track& track = timeline.tracks[index(id)];
  TrackRow row;
  row.track = id;
  row.process = track.process;
  row.pinned = part_ == TrackPart::pinned;
  if (!row.pinned) row.group = ordering_.group_of[index(id)];
  row.collapsed = state.collapsed_tracks.contains(index(id));
  row.y_px = height_px_;
  if (track.kind == TrackKind::counter) row.kind = TrackRow::Kind::counter;
  set_height(row, track, state);
  height_px_ += row.height_px;
  row_of_track_[index(id)] = static_cast<std::uint32_t>(rows_.size() + 1);
  rows_.push_back(row);
}

void TrackList::set_height(TrackRow& row, const Track& track, const TimelineState& state) const {
  if (row.kind == TrackRow::Kind::counter) {
    row.height_px = row.collapsed ? kRowStepPx + 2 * kTrackPadPx : kCounterPx + 2 * kTrackPadPx;
    return;
  }
  const auto all = static_cast<double>(track.row_count);
  double wanted = all;
  if (index(row.track) < fitted_.size()) {
    wanted = std::clamp(static_cast<double>(fitted_[index(row.track)]), std::min(all, 1.0), all);
  }
  const auto limit = state.depth_limits.find(index(row.track));
  row.hidden_rows = 0;
  if (row.collapsed) {
    wanted = std::min(wanted, 1.0);
  } else if (limit != state.depth_limits.end() && wanted > limit->second) {
    row.hidden_rows = static_cast<std::uint32_t>(std::ceil(wanted)) - limit->second;
    wanted = limit->second;
  }
  // Rows that are on their way in or out show once there is room for them.
  row.shown_depth = static_cast<std::uint32_t>(wanted);
  const bool has_instants = !track.instants.chunks.empty();
  row.first_px = kTrackPadPx + (has_instants ? kInstantRowPx : 0);
  double px = row.first_px + kRowStepPx * std::max(wanted, has_instants ? 0.0 : 1.0);
  px += kTrackPadPx - 1 + (row.hidden_rows > 0 ? kHiddenRowsPx : 0);
  const bool low = row.collapsed || track.kind == TrackKind::marks;
  row.height_px = low ? px : std::max(px, kMinTrackPx);
}

bool TrackList::fit(std::span<const float> rows_of_track, const Timeline& timeline,
                    const TimelineState& state) {
  if (std::ranges::equal(rows_of_track, fitted_)) return false;
  fitted_.assign(rows_of_track.begin(), rows_of_track.end());
  height_px_ = 0;
  for (TrackRow& row : rows_) {
    if (row.kind != TrackRow::Kind::head) {
      set_height(row, timeline.tracks[index(row.track)], state);
    }
    row.y_px = height_px_;
    height_px_ += row.height_px;
  }
  return true;
}

std::vector<std::uint32_t> TrackList::tracks_of(std::uint32_t group) const {
  std::vector<std::uint32_t> tracks;
  for (const std::uint32_t id : ordering_.tracks) {
    if (ordering_.group_of[id] == group) tracks.push_back(id);
  }
  return tracks;
}

TrackList::Span TrackList::group_rows(std::size_t row) const {
  if (row >= rows_.size()) return {};
  // Rows of one group follow each other, so both ends are found by the order of groups alone: the
  // list is walked outwards in steps that double.
  const std::uint32_t group = rows_[row].group;
  const auto same = [&](std::size_t i) { return rows_[i].group == group; };
  std::size_t first = row, step = 1;
  while (first >= step && same(first - step)) {
    first -= step;
    step *= 2;
  }
  for (; step > 0; step /= 2) {
    while (first >= step && same(first - step)) first -= step;
  }
  std::size_t last = row;
  step = 1;
  while (last + step < rows_.size() && same(last + step)) {
    last += step;
    step *= 2;
  }
  for (; step > 0; step /= 2) {
    while (last + step < rows_.size() && same(last + step)) last += step;
  }
  if (rows_[first].kind == TrackRow::Kind::head) ++first;
  return {first, last + 1};
}

std::size_t TrackList::row_at(double y_px) const {
  if (y_px < 0 || y_px >= height_px_) return rows_.size();
  const auto after = std::upper_bound(rows_.begin(), rows_.end(), y_px,
                                      [](double y, const TrackRow& row) { return y < row.y_px; });
  return static_cast<std::size_t>(after - rows_.begin()) - 1;
}

const TrackRow* TrackList::row_of(TrackId track) const {
  if (index(track) >= row_of_track_.size() || row_of_track_[index(track)] == 0) return nullptr;
  return &rows_[row_of_track_[index(track)] - 1];
}

}  // namespace cinderscope
