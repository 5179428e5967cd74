#include "render/track_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

namespace cinderscope {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// Sort indices come from the file; a NaN would break the order.
double ordered(double sort_index) {
  return std::isnan(sort_index) ? 0 : sort_index;
}

// "9" before "10", numbers before words.
std::pair<double, std::string_view> id_key(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size() && !std::isnan(number);
  return {all ? number : std::numeric_limits<double>::infinity(), text};
}

struct SortKey {
  std::uint32_t process_index = 0;  // position of the process
  int kind = 0;                     // threads with their samples, async, counters
  double number = 0;
  std::string_view text;
  std::pair<double, std::string_view> id;
  std::uint32_t thread = 0;  // keeps samples beside their thread
  bool samples = false;
  std::uint32_t track = 0;

  auto tied() const {
    return std::tie(process_index, kind, number, text, id, thread, samples, track);
  }
};

int kind_rank(TrackKind kind) {
  switch (kind) {
    case TrackKind::thread:
    case TrackKind::samples:
      return 0;
    case TrackKind::async:
      return 1;
    case TrackKind::counter:
      return 2;
  }
  return 3;
}

const Thread* thread_of(const Timeline& timeline, const Track& track) {
  const bool known = index(track.thread) < timeline.threads.size();
  return known ? &timeline.threads[index(track.thread)] : nullptr;
}

void fill_order(SortKey& key, TrackOrder order, double sort_index, std::int64_t first_ns,
                std::string_view name, std::string_view id) {
  key.id = id_key(id);
  switch (order) {
    case TrackOrder::sort_index:
      key.number = ordered(sort_index);
      break;
    case TrackOrder::first_time:
      key.number = static_cast<double>(first_ns);
      break;
    case TrackOrder::name:
      key.text = name;
      break;
    case TrackOrder::id:
      break;
  }
}

std::vector<std::uint32_t> process_positions(const Timeline& timeline, TrackOrder order) {
  std::vector<SortKey> keys;
  keys.reserve(timeline.processes.size());
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    SortKey& key = keys.emplace_back();
    key.track = i;
    fill_order(key, order, process.sort_index, process.first_ns, timeline.text(process.name),
               timeline.text(process.pid));
  }
  std::sort(keys.begin(), keys.end(),
            [](const SortKey& a, const SortKey& b) { return a.tied() < b.tied(); });
  std::vector<std::uint32_t> positions(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) positions[keys[i].track] = i;
  return positions;
}

std::vector<SortKey> sorted_tracks(const Timeline& timeline, TrackOrder order) {
  const std::vector<std::uint32_t> positions = process_positions(timeline, order);
  std::vector<SortKey> keys;
  keys.reserve(timeline.tracks.size());
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (index(track.process) >= positions.size()) continue;
    SortKey& key = keys.emplace_back();
    key.process_index = positions[index(track.process)];
    key.kind = kind_rank(track.kind);
    key.track = i;
    key.samples = track.kind == TrackKind::samples;
    if (const Thread* thread = thread_of(timeline, track)) {
      key.thread = index(track.thread);
      // Samples take the place of their thread, not one of their own.
      const bool owned = index(thread->track) < timeline.tracks.size();
      const Track& main = owned ? timeline.tracks[index(thread->track)] : track;
      fill_order(key, order, thread->sort_index, main.begin_ns, timeline.text(thread->name),
                 timeline.text(thread->tid));
    } else {
      fill_order(key, order, 0, track.begin_ns, timeline.text(track.name),
                 timeline.text(track.name));
    }
  }
  std::sort(keys.begin(), keys.end(),
            [](const SortKey& a, const SortKey& b) { return a.tied() < b.tied(); });
  return keys;
}

bool passes(const Timeline& timeline, const Track& track, std::string_view filter) {
  if (filter.empty()) return true;
  const Process& process = timeline.processes[index(track.process)];
  if (contains_ignoring_case(timeline.text(process.name), filter) ||
      contains_ignoring_case(timeline.text(process.pid), filter) ||
      contains_ignoring_case(timeline.text(track.name), filter)) {
    return true;
  }
  const Thread* thread = thread_of(timeline, track);
  return thread != nullptr && (contains_ignoring_case(timeline.text(thread->name), filter) ||
                               contains_ignoring_case(timeline.text(thread->tid), filter));
}

// What the rows depend on beside the state. Looks at every track, yet at a few numbers only.
std::uint64_t hash_of(const Timeline& timeline) {
  std::uint64_t hash = 1469598103934665603u;
  const auto add = [&](std::uint64_t value) {
    hash = (hash ^ value) * 1099511628211u;
    hash ^= hash >> 29;
  };
  add(reinterpret_cast<std::uintptr_t>(timeline.strings.get()));
  add(timeline.record_count * 2 + (timeline.complete ? 1 : 0));
  add(timeline.processes.size());
  add(timeline.tracks.size());
  for (const Track& track : timeline.tracks) {
    add(track.max_depth);
    for (const auto& block : track.blocks) add(reinterpret_cast<std::uintptr_t>(block.get()));
    add(track.instants.chunks.size());
  }
  return hash;
}

}  // namespace

bool TrackList::update(const Timeline& timeline, const TimelineState& state) {
  const std::uint64_t tracks = hash_of(timeline);
  const bool same =
      built_ && key_.tracks == tracks && key_.order == state.order && key_.filter == state.filter &&
      key_.collapsed_processes == state.collapsed_processes &&
      key_.collapsed_tracks == state.collapsed_tracks && key_.hidden_tracks == state.hidden_tracks;
  if (same) return false;
  key_ = {state.collapsed_processes,
          state.collapsed_tracks,
          state.hidden_tracks,
          state.filter,
          state.order,
          tracks};
  built_ = true;
  rebuild(timeline, state);
  return true;
}

void TrackList::rebuild(const Timeline& timeline, const TimelineState& state) {
  rows_.clear();
  row_of_track_.assign(timeline.tracks.size(), 0);
  height_px_ = 0;
  bool collapsed = false;
  std::uint32_t head = 0;  // index + 1 of the current process' head
  for (const SortKey& key : sorted_tracks(timeline, state.order)) {
    const Track& track = timeline.tracks[key.track];
    if (!passes(timeline, track, state.filter)) continue;
    if (head == 0 || rows_[head - 1].process != track.process) {
      collapsed = state.collapsed_processes.contains(index(track.process));
      TrackRow row;
      row.kind = TrackRow::Kind::process_head;
      row.collapsed = collapsed;
      row.process = track.process;
      row.y_px = height_px_;
      row.height_px = kProcessHeadPx;
      height_px_ += row.height_px;
      rows_.push_back(row);
      head = static_cast<std::uint32_t>(rows_.size());
    }
    if (state.hidden_tracks.contains(key.track)) {
      ++rows_[head - 1].hidden_tracks;
    } else if (!collapsed) {
      add_track(timeline, state, TrackId(key.track));
    }
  }
}

void TrackList::add_track(const Timeline& timeline, const TimelineState& state, TrackId id) {
  const Track& track = timeline.tracks[index(id)];
  TrackRow row;
  row.track = id;
  row.process = track.process;
  row.collapsed = state.collapsed_tracks.contains(index(id));
  row.y_px = height_px_;
  if (track.kind == TrackKind::counter) {
    row.kind = TrackRow::Kind::counter;
    row.height_px = row.collapsed ? kRowStepPx + 2 * kTrackPadPx : kCounterPx + 2 * kTrackPadPx;
  } else {
    row.shown_depth = row.collapsed ? std::min(track.max_depth, 1u) : track.max_depth;
    const double rows_px = kRowStepPx * std::max(row.shown_depth, 1u) + 2 * kTrackPadPx - 1;
    row.height_px = row.collapsed ? rows_px : std::max(rows_px, kMinTrackPx);
  }
  height_px_ += row.height_px;
  row_of_track_[index(id)] = static_cast<std::uint32_t>(rows_.size() + 1);
  rows_.push_back(row);
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

std::string process_label(const Timeline& timeline, ProcessId process) {
  if (index(process) >= timeline.processes.size()) return {};
  const Process& facts = timeline.processes[index(process)];
  if (facts.name != kEmptyString) return std::string(timeline.text(facts.name));
  return facts.pid == kEmptyString ? "Process" : "Process " + std::string(timeline.text(facts.pid));
}

std::string track_label(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  if (track.kind == TrackKind::thread && thread != nullptr) {
    if (thread->name != kEmptyString) return std::string(timeline.text(thread->name));
    return "Thread " + std::string(timeline.text(thread->tid));
  }
  return std::string(display_name(timeline, track.name));
}

std::string_view track_id_text(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  if (track.kind != TrackKind::thread || thread == nullptr) return {};
  if (thread->name == kEmptyString) return {};
  return timeline.text(thread->tid);
}

}  // namespace cinderscope
