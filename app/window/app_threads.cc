// What the commands of threads and of the time shown do.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "app/window/app.h"
#include "render/time_text.h"

namespace cinderscope {

namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// Tracks and processes that a command's THREAD means: an id or a name, "track N" or "process N" of
// the model (what menus say), empty for the selected one.
struct Meant {
  std::vector<std::uint32_t> tracks, processes;
};

Meant meant_by(const Timeline& timeline, const TimelineState& state, std::string_view text) {
  Meant meant;
  if (text.empty()) {
    const TrackId track = state.selected ? state.selected.track : state.selected_instant.track;
    if (track != kNoTrack) meant.tracks.push_back(index(track));
    return meant;
  }
  const CommandCall call = split_call(text);
  if (const auto number = integer(call.argument); number && *number >= 0) {
    const auto id = static_cast<std::uint32_t>(*number);
    if (call.name == "track" && id < timeline.tracks.size()) meant.tracks.push_back(id);
    if (call.name == "process" && id < timeline.processes.size()) meant.processes.push_back(id);
    if (call.name == "track" || call.name == "process") return meant;
  }
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.thread == kNoThread || track.kind != TrackKind::thread) {
      if (same_text(timeline.text(track.name), text)) meant.tracks.push_back(i);
      continue;
    }
    const Thread& thread = timeline.threads[index(track.thread)];
    if (timeline.text(thread.tid) == text || same_text(timeline.text(thread.name), text)) {
      meant.tracks.push_back(i);
    }
  }
  if (!meant.tracks.empty()) return meant;
  for (std::uint32_t i = 0; i < timeline.processes.size(); ++i) {
    const Process& process = timeline.processes[i];
    if (timeline.text(process.pid) == text || same_text(timeline.text(process.name), text)) {
      meant.processes.push_back(i);
    }
  }
  return meant;
}

}  // namespace

std::string App::run_thread_command(const Command& command, std::string_view argument) {
  Session& session = *active()->session;
  TimelineState& state = session.state();
  if (command.id == CommandId::filter) {
    state.filter = argument;
    filter_open_ = filter_focus_ = argument.empty();
    return {};
  }
  if (command.id == CommandId::sort) {
    if (argument == "index") {
      state.order = TrackOrder::sort_index;
    } else if (argument == "time") {
      state.order = TrackOrder::first_time;
    } else if (argument == "name") {
      state.order = TrackOrder::name;
    } else if (argument == "id") {
      state.order = TrackOrder::id;
    } else {
      return "Threads are sorted by index, time, name or id.";
    }
    return {};
  }
  if (command.id == CommandId::show_all) {
    state.hidden_tracks.clear();
    state.collapsed_tracks.clear();
    state.collapsed_processes.clear();
    state.filter.clear();
    filter_open_ = false;
    return {};
  }
  const Meant meant = meant_by(session.timeline(), state, argument);
  if (meant.tracks.empty() && meant.processes.empty()) {
    return argument.empty() ? "No thread is selected."
                            : fmt::format("There is no thread \"{}\".", argument);
  }
  for (const std::uint32_t track : meant.tracks) {
    if (command.id == CommandId::collapse) state.collapsed_tracks.insert(track);
    if (command.id == CommandId::expand) state.collapsed_tracks.erase(track);
    if (command.id == CommandId::hide) state.hidden_tracks.insert(track);
  }
  for (const std::uint32_t process : meant.processes) {
    if (command.id == CommandId::collapse) state.collapsed_processes.insert(process);
    if (command.id == CommandId::expand) state.collapsed_processes.erase(process);
    if (command.id != CommandId::hide) continue;
    for (std::uint32_t i = 0; i < session.timeline().tracks.size(); ++i) {
      if (index(session.timeline().tracks[i].process) == process) state.hidden_tracks.insert(i);
    }
  }
  return {};
}

// Without an argument the next kind that this trace has. Other traces show the same kind where they
// can.
std::string App::show_time(std::string_view argument) {
  const Timeline& timeline = active()->session->timeline();
  TimeShown shown = active()->session->state().time_shown;
  if (argument == "start") {
    shown = TimeShown::from_start;
  } else if (argument == "clock") {
    shown = TimeShown::clock;
  } else if (argument == "day") {
    shown = TimeShown::time_of_day;
  } else if (argument.empty()) {
    shown = next_shown(timeline, shown);
  } else {
    return "Times are shown from the start, in the file's clock or as time of day: start, clock, "
           "day.";
  }
  if (std::string problem = why_not_shown(timeline, shown); !problem.empty()) return problem;
  settings_.time_shown = shown;
  for (const auto& tab : tabs_) tab->session->state().time_shown = shown;
  say("time " + shown_text(place_format(timeline, active()->session->state())));
  return {};
}

}  // namespace cinderscope
