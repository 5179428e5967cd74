#include "app/commands/thread_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/arguments.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "render/layout/track_list.h"

namespace cinderscope {
namespace {

void add_named_tracks(const Timeline& timeline, std::string_view text, MeantThreads& meant) {
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.thread == kNoThread || track.kind != TrackKind::thread) {
      if (equals_in_any_case(timeline.text(track.name), text)) meant.tracks.push_back(i);
      continue;
    }
    const Thread& thread = timeline.threads[index(track.thread)];
    if (timeline.text(thread.tid) == text || equals_in_any_case(timeline.text(thread.name), text)) {
      meant.tracks.push_back(i);
    }
  }
}

void add_named_groups(const Timeline& timeline, const TimelineState& state, std::string_view text,
                      MeantThreads& meant) {
  if (!state.grouped || state.group_pattern.empty()) return;
  for (const TrackGroup& group : track_groups(timeline, state).groups) {
    if (group.name == text) meant.groups.push_back(group.name);
  }
}

void fold(const MeantThreads& meant, bool collapse, TimelineState& state) {
  for (const std::uint32_t track : meant.tracks) {
    if (collapse) state.collapsed_tracks.insert(track);
    if (!collapse) state.collapsed_tracks.erase(track);
  }
  for (const std::uint32_t process : meant.processes) {
    if (collapse) state.collapsed_processes.insert(process);
    if (!collapse) state.collapsed_processes.erase(process);
  }
  for (const std::string& group : meant.groups) {
    if (collapse) state.collapsed_groups.insert(group);
    if (!collapse) state.collapsed_groups.erase(group);
  }
}

void hide(const std::vector<std::uint32_t>& tracks, bool hide, TimelineState& state) {
  const bool solo = !state.solo_tracks.empty();
  for (const std::uint32_t track : tracks) {
    if (hide) {
      state.hidden_tracks.insert(track);
      state.solo_tracks.erase(track);
    } else {
      state.hidden_tracks.erase(track);
      if (solo) state.solo_tracks.insert(track);
    }
  }
}

// Only these; once more: all that was shown before.
void solo(const std::vector<std::uint32_t>& tracks, TimelineState& state) {
  IndexSet wanted;
  for (const std::uint32_t track : tracks) wanted.insert(track);
  if (state.solo_tracks == wanted) wanted.clear();
  state.solo_tracks = std::move(wanted);
}

void pin(const std::vector<std::uint32_t>& tracks, bool pin, TimelineState& state) {
  const IndexSet wanted(std::set<std::uint32_t>(tracks.begin(), tracks.end()));
  if (!pin) {
    std::erase_if(state.pinned_tracks, [&](std::uint32_t each) { return wanted.contains(each); });
    return;
  }
  const std::set<std::uint32_t> there(state.pinned_tracks.begin(), state.pinned_tracks.end());
  for (const std::uint32_t track : tracks) {
    if (!there.contains(track)) state.pinned_tracks.push_back(track);
  }
  hide(tracks, false, state);
}

}  // namespace

std::vector<std::uint32_t> tracks_of(const Timeline& timeline, const TimelineState& state,
                                     const MeantThreads& meant) {
  std::vector<std::uint32_t> tracks = meant.tracks;
  if (!meant.processes.empty()) {
    const std::set<std::uint32_t> processes(meant.processes.begin(), meant.processes.end());
    for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
      if (processes.contains(index(timeline.tracks[i].process))) tracks.push_back(i);
    }
  }
  if (!meant.groups.empty()) {
    const TrackOrdering groups = track_groups(timeline, state);
    for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
      const std::string& name = groups.groups[groups.group_of[i]].name;
      if (std::ranges::find(meant.groups, name) != meant.groups.end()) tracks.push_back(i);
    }
  }
  return tracks;
}

MeantThreads meant_threads(const Timeline& timeline, const TimelineState& state,
                           std::string_view text) {
  MeantThreads meant;
  if (text.empty()) {
    const TrackId track = state.selected ? state.selected.track : state.selected_instant.track;
    if (index(track) < timeline.tracks.size()) meant.tracks.push_back(index(track));
    return meant;
  }
  constexpr std::string_view kThreadsOf = "threads of ";
  if (text.starts_with(kThreadsOf)) {
    const MeantThreads of = meant_threads(timeline, state, text.substr(kThreadsOf.size()));
    meant.tracks = tracks_of(timeline, state, of);
    if (!meant.tracks.empty()) return meant;
  }
  if (text == "selected threads" && !state.selected_tracks.empty()) {
    for (const std::uint32_t track : state.selected_tracks) {
      if (track < timeline.tracks.size()) meant.tracks.push_back(track);
    }
    return meant;
  }
  const CommandCall call = split_call(text);
  if (const auto number = parse_number<std::uint32_t>(call.argument)) {
    const bool is_track = call.name == "track", is_process = call.name == "process";
    if (is_track && *number < timeline.tracks.size()) meant.tracks.push_back(*number);
    if (is_process && *number < timeline.processes.size()) meant.processes.push_back(*number);
    if (is_track || is_process) return meant;
  }
  if (call.name == "group") {
    add_named_groups(timeline, state, text.substr(std::min<std::size_t>(6, text.size())), meant);
    if (!meant.empty()) return meant;
  }
  add_named_tracks(timeline, text, meant);
  if (!meant.empty()) return meant;
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    if (timeline.text(process.pid) == text ||
        equals_in_any_case(timeline.text(process.name), text)) {
      meant.processes.push_back(i);
    }
  }
  if (meant.empty()) add_named_groups(timeline, state, text, meant);
  return meant;
}

Result<MeantThreads> needed_threads(const Timeline& timeline, const TimelineState& state,
                                    std::string_view text) {
  MeantThreads meant = meant_threads(timeline, state, text);
  if (!meant.empty()) return meant;
  if (text.empty()) return refused("No thread is selected.");
  return refused(fmt::format("There is no thread \"{}\".", text.substr(0, 200)));
}

Status group_threads(std::string_view by, TimelineState& state) {
  std::string pattern;
  if (by != "process" && by != "none") {
    if (std::string problem = pattern_problem(by); !problem.empty()) return refused(problem);
    pattern = by;
  }
  state.grouped = by != "none";
  if (state.group_pattern != pattern) state.collapsed_groups.clear();
  state.group_pattern = std::move(pattern);
  return ok();
}

void sort_threads(TrackOrder order, TimelineState& state) {
  state.order = order;
  state.moved_tracks.clear();
}

void show_all_threads(TimelineState& state) {
  state.hidden_tracks.clear();
  state.solo_tracks.clear();
  state.collapsed_tracks.clear();
  state.collapsed_processes.clear();
  state.collapsed_groups.clear();
  state.depth_limits.clear();
  state.hide_without_matches = false;
  state.filter.clear();
}

Status fold_threads(std::string_view thread, bool collapse, const Timeline& timeline,
                    TimelineState& state) {
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  fold(*meant, collapse, state);
  return ok();
}

Status hide_threads(std::string_view thread, bool hides, const Timeline& timeline,
                    TimelineState& state) {
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  hide(tracks_of(timeline, state, *meant), hides, state);
  return ok();
}

Status solo_threads(std::string_view thread, const Timeline& timeline, TimelineState& state) {
  const bool nothing_selected = !state.selected && !state.selected_instant;
  if (!state.solo_tracks.empty() && (thread == "off" || (thread.empty() && nothing_selected))) {
    state.solo_tracks.clear();
    return ok();
  }
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  solo(tracks_of(timeline, state, *meant), state);
  return ok();
}

Status pin_threads(std::string_view thread, bool pins, const Timeline& timeline,
                   TimelineState& state) {
  const Result<MeantThreads> meant = needed_threads(timeline, state, thread);
  if (!meant) return meant.error();
  pin(tracks_of(timeline, state, *meant), pins, state);
  return ok();
}

bool show_track(const Timeline& timeline, TrackId id, std::uint32_t rows, TimelineState& state) {
  if (index(id) >= timeline.tracks.size()) return false;
  const Track& track = timeline.tracks[index(id)];
  bool changed = !is_shown(state, index(id));
  if (changed) hide({index(id)}, false, state);
  if (rows > 0) changed |= state.collapsed_tracks.erase(index(id)) > 0;
  const auto limit = state.depth_limits.find(index(id));
  if (limit != state.depth_limits.end() && limit->second < rows) {
    state.depth_limits.erase(limit);
    changed = true;
  }
  if (!passes_search(state, index(id))) {
    state.hide_without_matches = false;
    changed = true;
  }
  if (std::ranges::find(state.pinned_tracks, index(id)) != state.pinned_tracks.end()) {
    return changed;
  }
  const bool by_pattern = state.grouped && !state.group_pattern.empty();
  std::optional<TrackGroup> group;
  if (by_pattern && (!state.collapsed_groups.empty() || !state.filter.empty())) {
    const TrackOrdering groups = track_groups(timeline, state);
    group = groups.groups[groups.group_of[index(id)]];
    changed |= state.collapsed_groups.erase(group->name) > 0;
  } else if (state.grouped && !by_pattern) {
    changed |= state.collapsed_processes.erase(index(track.process)) > 0;
  }
  if (!TrackFilter(timeline, state.filter).passes(track, group ? &*group : nullptr)) {
    state.filter.clear();
    changed = true;
  }
  return changed;
}

ShownThreads shown_threads(const Timeline& timeline, const TimelineState& state) {
  ShownThreads threads;
  const auto add = [&](std::vector<std::string>& to, std::string name) {
    if (to.size() < ShownThreads::kMaxNames) to.push_back(std::move(name));
  };
  TrackList pinned(TrackPart::pinned), main;
  pinned.update(timeline, state);
  main.update(timeline, state);
  for (const TrackRow& row : pinned.rows()) {
    const std::string name = track_label(timeline, timeline.tracks[index(row.track)]);
    add(threads.pinned, name);
    add(threads.shown, name);
  }
  for (const TrackRow& row : main.rows()) {
    if (row.kind == TrackRow::Kind::head) {
      add(threads.heads, group_label(timeline, main.groups()[row.group]));
    } else {
      add(threads.shown, track_label(timeline, timeline.tracks[index(row.track)]));
    }
  }
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (!is_shown(state, i)) ++threads.hidden;
  }
  return threads;
}

}  // namespace cinderscope
