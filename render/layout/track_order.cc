#include "render/layout/track_order.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "ingest/base/number_text.h"
#include "render/layout/activity.h"

namespace cinderscope {
namespace {

constexpr std::size_t kLongestMatched = 4096;  // of a name; groups are made of what comes early
constexpr std::string_view kOther = "other";

// Sort indices come from the file; a NaN would break the order.
double ordered(double sort_index) {
  return std::isnan(sort_index) ? 0 : sort_index;
}

// What two tracks are compared by, from the first member to the last; names and ids as text are
// looked up only where all before is equal.
struct Key {
  std::uint32_t group = 0, process = 0;  // positions of both
  int kind = 0;  // marks, threads with what stands beside them, async, lifetimes, counters
  double number = 0;
  double id = 0;
  std::uint32_t thread = 0;  // keeps calls and samples beside their thread
  std::uint32_t track = 0;
  int beside = 0;  // a thread's calls above it, its samples below
};

int kind_rank(TrackKind kind) {
  switch (kind) {
    case TrackKind::thread:
    case TrackKind::calls:
    case TrackKind::samples:
      return 0;
    case TrackKind::marks:
      return -1;
    case TrackKind::async:
      return 1;
    case TrackKind::lifetimes:
      return 2;
    case TrackKind::counter:
      return 3;
  }
  return 4;
}

std::string_view id_text(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  return timeline.text(thread != nullptr ? thread->tid : track.name);
}

// How long each track is busy; nothing where that decides nothing.
std::vector<double> busy_of_tracks(const Timeline& timeline, TrackOrder order) {
  std::vector<double> busy_ns;
  if (order != TrackOrder::activity) return busy_ns;
  busy_ns.reserve(timeline.tracks.size());
  for (const Track& track : timeline.tracks) busy_ns.push_back(busy_ns_of(track));
  return busy_ns;
}

std::vector<std::uint32_t> process_positions(const Timeline& timeline, TrackOrder order,
                                             const std::vector<double>& busy_of_track) {
  std::vector<double> busy_ns(timeline.processes.size(), 0);
  for (std::size_t i = 0; i < busy_of_track.size(); ++i) {
    const std::uint32_t process = index(timeline.tracks[i].process);
    if (process < busy_ns.size()) busy_ns[process] += busy_of_track[i];
  }
  struct ProcessKey {
    double number = 0;
    std::string_view name;
    std::pair<double, std::string_view> id;
    std::uint32_t process = 0;
    auto tied() const { return std::tie(number, name, id, process); }
  };
  std::vector<ProcessKey> keys;
  keys.reserve(timeline.processes.size());
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    ProcessKey& key = keys.emplace_back();
    key.process = i;
    key.id = id_key(timeline.text(process.pid));
    if (order == TrackOrder::sort_index) key.number = ordered(process.sort_index);
    if (order == TrackOrder::first_time) key.number = static_cast<double>(process.first_ns);
    if (order == TrackOrder::activity) key.number = -busy_ns[i];
    if (order == TrackOrder::name) key.name = timeline.text(process.name);
  }
  std::sort(keys.begin(), keys.end(),
            [](const ProcessKey& a, const ProcessKey& b) { return a.tied() < b.tied(); });
  std::vector<std::uint32_t> positions(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) positions[keys[i].process] = i;
  return positions;
}

// By name, numbers in order, what the pattern does not fit last.
std::vector<std::uint32_t> group_positions(const std::vector<TrackGroup>& groups) {
  std::vector<std::uint32_t> order(groups.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::uint32_t i) {
    return std::tuple(groups[i].name == kOther, id_key(groups[i].name));
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> positions(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) positions[order[i]] = i;
  return positions;
}

class NamePattern {
 public:
  explicit NamePattern(std::string_view pattern) : pattern_(to_piece(pattern), options()) {}
  bool ok() const { return pattern_.ok(); }
  const RE2& pattern() const { return pattern_; }

  // The first capture, or all of the match where there is none; nothing where it does not fit.
  std::string_view group_of(std::string_view name) const {
    name = name.substr(0, kLongestMatched);
    re2::StringPiece parts[2];
    const int wanted = std::min(pattern_.NumberOfCapturingGroups(), 1) + 1;
    if (!pattern_.Match(to_piece(name), 0, name.size(), RE2::UNANCHORED, parts, wanted)) return {};
    const re2::StringPiece& part = parts[1].empty() ? parts[0] : parts[1];
    return {part.data(), part.size()};
  }

 private:
  static re2::StringPiece to_piece(std::string_view text) { return {text.data(), text.size()}; }
  static RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }
  RE2 pattern_;
};

void group_by_pattern(const Timeline& timeline, std::string_view text, TrackOrdering& out) {
  const NamePattern pattern(text);
  std::unordered_map<std::string_view, std::uint32_t> known;  // names live in the timeline
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    std::string_view name;
    if (pattern.ok()) name = pattern.group_of(grouping_name(timeline, timeline.tracks[i]));
    if (name.empty()) name = kOther;
    const auto [found, fresh] = known.emplace(name, static_cast<std::uint32_t>(out.groups.size()));
    if (fresh) out.groups.push_back({.is_process = false, .name = std::string(name)});
    out.group_of[i] = found->second;
  }
}

std::vector<Key> keys_of(const Timeline& timeline, const TimelineState& state,
                         const TrackOrdering& ordering) {
  const std::vector<double> busy_ns = busy_of_tracks(timeline, state.order);
  const std::vector<std::uint32_t> processes = process_positions(timeline, state.order, busy_ns);
  const bool by_process = state.grouped && state.group_pattern.empty();
  std::vector<std::uint32_t> groups = by_process ? processes : group_positions(ordering.groups);
  if (by_process && ordering.groups.size() > processes.size()) {  // the one without a head
    for (std::uint32_t& position : groups) ++position;
    groups.push_back(0);
  }
  std::vector<Key> keys;
  keys.reserve(timeline.tracks.size());
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (index(track.process) >= processes.size()) continue;
    Key& key = keys.emplace_back();
    if (!groups.empty()) key.group = groups[ordering.group_of[i]];
    // Without processes as heads names and times are compared across them.
    if (state.order == TrackOrder::sort_index) key.process = processes[index(track.process)];
    key.kind = kind_rank(track.kind);
    key.track = i;
    if (track.kind == TrackKind::calls) key.beside = -1;
    if (track.kind == TrackKind::samples) key.beside = 1;
    key.id = id_key(id_text(timeline, track)).first;
    double sort_index = 0;
    std::int64_t first_ns = track.begin_ns;
    std::uint32_t own = i;  // whose activity counts
    if (const Thread* thread = thread_of(timeline, track)) {
      key.thread = index(track.thread);
      sort_index = thread->sort_index;
      // Calls and samples take the place of their thread, not one of their own.
      if (index(thread->track) < timeline.tracks.size()) {
        first_ns = timeline.tracks[index(thread->track)].begin_ns;
        own = index(thread->track);
      }
    }
    if (state.order == TrackOrder::sort_index) key.number = ordered(sort_index);
    if (state.order == TrackOrder::first_time) key.number = static_cast<double>(first_ns);
    if (state.order == TrackOrder::activity) key.number = -busy_ns[own];
  }
  return keys;
}

void sort_keys(const Timeline& timeline, TrackOrder order, std::vector<Key>& keys) {
  const auto name = [&](const Key& key) {
    if (order != TrackOrder::name) return std::string_view();
    return grouping_name(timeline, timeline.tracks[key.track]);
  };
  const auto id = [&](const Key& key) { return id_text(timeline, timeline.tracks[key.track]); };
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    const auto left = std::tie(a.group, a.process, a.kind, a.number);
    const auto right = std::tie(b.group, b.process, b.kind, b.number);
    if (left != right) return left < right;
    if (const int compared = name(a).compare(name(b)); compared != 0) return compared < 0;
    if (a.id != b.id) return a.id < b.id;
    if (const int compared = id(a).compare(id(b)); compared != 0) return compared < 0;
    return std::tie(a.thread, a.beside, a.track) < std::tie(b.thread, b.beside, b.track);
  });
}

// The user's own order goes first; what it does not name follows as it stands.
void apply_moves(const Timeline& timeline, const std::vector<std::uint32_t>& moved,
                 TrackOrdering& out) {
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(timeline.tracks.size(), kLast);
  std::vector<std::uint32_t> group_place(std::max<std::size_t>(out.groups.size(), 1), kLast);
  for (std::uint32_t i = 0; i < moved.size(); ++i) {
    if (moved[i] >= place.size()) continue;
    place[moved[i]] = std::min(place[moved[i]], i);
    std::uint32_t& first = group_place[out.group_of[moved[i]]];
    first = std::min(first, i);
  }
  // Groups that it does not name keep their default order among themselves.
  std::vector<std::uint32_t> group_rank(group_place.size(), 0);
  std::uint32_t next = 0;
  std::vector<bool> seen(group_place.size(), false);
  for (const std::uint32_t track : out.tracks) {
    const std::uint32_t group = out.group_of[track];
    if (!seen[group]) group_rank[group] = next++;
    seen[group] = true;
  }
  const auto key = [&](std::uint32_t track) {
    const std::uint32_t group = out.group_of[track];
    return std::tuple(group_place[group], group_rank[group], place[track]);
  };
  std::stable_sort(out.tracks.begin(), out.tracks.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
}

}  // namespace

const Thread* thread_of(const Timeline& timeline, const Track& track) {
  const bool known = index(track.thread) < timeline.threads.size();
  return known ? &timeline.threads[index(track.thread)] : nullptr;
}

std::pair<double, std::string_view> id_key(std::string_view text) {
  const auto number = parse_number<double>(text);
  const bool usable = number && !std::isnan(*number);
  return {usable ? *number : std::numeric_limits<double>::infinity(), text};
}

std::string_view grouping_name(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  return timeline.text(thread != nullptr ? thread->name : track.name);
}

TrackOrdering track_groups(const Timeline& timeline, const TimelineState& state) {
  TrackOrdering out;
  out.group_of.assign(timeline.tracks.size(), 0);
  if (!state.grouped) return out;
  if (!state.group_pattern.empty()) {
    group_by_pattern(timeline, state.group_pattern, out);
    return out;
  }
  out.groups.resize(timeline.processes.size());
  for (std::uint32_t i = 0; i < out.groups.size(); ++i) out.groups[i].process = ProcessId(i);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const std::uint32_t process = index(timeline.tracks[i].process);
    if (process < out.groups.size()) out.group_of[i] = process;
  }
  // Of several, the heads tell which process or file recorded them.
  const auto is_global = [](const Track& track) { return track.global; };
  if (std::ranges::count_if(timeline.tracks, is_global) != 1) return out;
  const auto global = std::ranges::find_if(timeline.tracks, is_global);
  out.group_of[static_cast<std::size_t>(global - timeline.tracks.begin())] =
      static_cast<std::uint32_t>(out.groups.size());
  out.groups.push_back({.process = global->process, .name = {}, .headless = true});
  return out;
}

TrackOrdering track_ordering(const Timeline& timeline, const TimelineState& state) {
  TrackOrdering out = track_groups(timeline, state);
  std::vector<Key> keys = keys_of(timeline, state, out);
  sort_keys(timeline, state.order, keys);
  out.tracks.reserve(keys.size());
  for (const Key& key : keys) out.tracks.push_back(key.track);
  if (!state.moved_tracks.empty()) apply_moves(timeline, state.moved_tracks, out);
  return out;
}

std::string pattern_problem(std::string_view text) {
  const NamePattern pattern(text);
  if (pattern.ok()) return {};
  const std::string& about = pattern.pattern().error_arg();
  std::string problem = pattern.pattern().error();
  if (const auto colon = problem.find(": "); colon != std::string::npos) problem.resize(colon);
  const auto at = about.empty() ? std::string_view::npos : text.find(about);
  if (at == std::string_view::npos) return fmt::format("The pattern cannot be read: {}.", problem);
  return fmt::format("The pattern cannot be read: {} at character {}, \"{}\".", problem, at + 1,
                     about);
}

void move_tracks(std::vector<std::uint32_t>& order, std::span<const std::uint32_t> moved,
                 std::uint32_t anchor, bool before) {
  std::vector<std::uint32_t> sorted(moved.begin(), moved.end());
  std::sort(sorted.begin(), sorted.end());
  const auto is_moved = [&](std::uint32_t track) {
    return std::binary_search(sorted.begin(), sorted.end(), track);
  };
  if (is_moved(anchor) || std::ranges::find(order, anchor) == order.end()) return;
  std::vector<std::uint32_t> taken, out;
  out.reserve(order.size());
  for (const std::uint32_t track : order) {
    if (is_moved(track)) taken.push_back(track);
  }
  for (const std::uint32_t track : order) {
    if (is_moved(track)) continue;
    if (track == anchor && before) out.insert(out.end(), taken.begin(), taken.end());
    out.push_back(track);
    if (track == anchor && !before) out.insert(out.end(), taken.begin(), taken.end());
  }
  order = std::move(out);
}

}  // namespace cinderscope
