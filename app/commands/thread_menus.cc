#include "app/commands/thread_menus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/commands/arguments.h"
#include "ingest/model/timeline.h"
#include "render/base/actions.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

bool holds(const std::vector<std::uint32_t>& all, std::uint64_t number) {
  return std::ranges::find(all, number) != all.end();
}

// Only for tracks that have rows to leave out.
void add_depth_limit(MenuBuilder& menu, const MenuSource& source, std::uint32_t track) {
  const std::string name = fmt::format(" track {}", track);
  const auto limit = source.state->depth_limits.find(track);
  const bool limited = limit != source.state->depth_limits.end();
  menu.line();
  for (const std::uint32_t rows : {5u, 20u}) {
    menu.add(fmt::format("Show at most {} rows", rows),
             {{"depth-limit", fmt::format("{}{}", rows, name)}},
             source.timeline->tracks[track].row_count > rows);
    menu.check(limited && limit->second == rows);
  }
  menu.add("Show all rows", {{"depth-limit", "off" + name}}, limited);
}

// What is done to several threads at once, where this is one of them.
void add_selected_threads(MenuBuilder& menu, const TimelineState& state, std::uint32_t track) {
  if (state.selected_tracks.size() < 2 || !state.selected_tracks.contains(track)) return;
  const std::string these =
      fmt::format("the {} selected threads", count_text(state.selected_tracks.size()));
  menu.line();
  menu.add("Statistics of " + these, {{"panel", "statistics"}, {"scope", "thread"}});
  menu.add("Flame graph of " + these, {{"panel", "flame-graph"}, {"scope", "thread"}});
  menu.add("Search in " + these, {{"panel", "search"}, {"search-scope", "thread"}});
  menu.add("Show only " + these, {{"solo", "selected threads"}});
  menu.add("Hide " + these, {{"hide", "selected threads"}});
  menu.add("Collapse " + these, {{"collapse", "selected threads"}});
  menu.add("Save these threads as…", {{"part", "threads selected threads"}});
  menu.add("Unselect", {{"select-threads", "none"}});
}

}  // namespace

void add_thread(MenuBuilder& menu, const MenuSource& source, std::uint64_t track) {
  const TimelineState& state = *source.state;
  const std::string name = fmt::format("track {}", track);
  const Timeline& timeline = *source.timeline;
  const std::uint32_t process = index(timeline.tracks[track].process);
  if (process < timeline.processes.size() && timeline.processes[process].added) {
    const std::string text(timeline.text(timeline.tracks[track].name));
    menu.add("Close", {{"sql-close-track", text}});
  }
  const auto number = static_cast<std::uint32_t>(track);
  if (state.collapsed_tracks.contains(number)) {
    menu.add("Expand", {{"expand", name}});
  } else {
    menu.add("Collapse", {{"collapse", name}});
  }
  menu.add("Hide", {{"hide", name}});
  menu.add("Show only this thread", {{"solo", name}});
  if (holds(state.pinned_tracks, track)) {
    menu.add("Unpin", {{"unpin", name}});
  } else {
    menu.add("Pin to the top", {{"pin", name}});
  }
  add_depth_limit(menu, source, number);
  menu.line();
  menu.add("Move up", {{"move-thread", name + " up"}});
  menu.add("Move down", {{"move-thread", name + " down"}});
  menu.line();
  menu.add("Save this thread as…", {{"part", "threads " + name}});
  add_selected_threads(menu, state, number);
}

void add_process(MenuBuilder& menu, const MenuSource& source, std::uint64_t process) {
  const std::string name = fmt::format("process {}", process);
  if (source.timeline->processes[process].added) menu.add("Close", {{"sql-close-track", {}}});
  if (source.state->collapsed_processes.contains(static_cast<std::uint32_t>(process))) {
    menu.add("Expand", {{"expand", name}});
  } else {
    menu.add("Collapse", {{"collapse", name}});
  }
  menu.add("Hide", {{"hide", name}});
  menu.add("Show only this process", {{"solo", name}});
  menu.add("Save this process as…", {{"part", "threads " + name}});
}

void add_group(MenuBuilder& menu, const MenuSource& source, const std::string& group) {
  const std::string name = quoted_argument("group " + group);
  if (source.state->collapsed_groups.contains(group)) {
    menu.add("Expand", {{"expand", name}});
  } else {
    menu.add("Collapse", {{"collapse", name}});
  }
  menu.add("Hide", {{"hide", name}});
  menu.add("Show only this group", {{"solo", name}});
}

void add_order(MenuBuilder& menu, const MenuSource& source) {
  constexpr std::array<std::pair<const char*, TrackOrder>, 5> kOrders = {
      {{"index", TrackOrder::sort_index},
       {"time", TrackOrder::first_time},
       {"name", TrackOrder::name},
       {"id", TrackOrder::id},
       {"activity", TrackOrder::activity}}};
  constexpr std::array<const char*, 5> kLabels = {"In the file's order", "Sorted by first call",
                                                  "Sorted by name", "Sorted by id",
                                                  "Sorted by activity"};
  menu.line();
  for (std::size_t i = 0; i < kOrders.size(); ++i) {
    menu.add(kLabels.at(i), {{"sort", kOrders.at(i).first}});
    menu.check(source.state->moved_tracks.empty() && source.state->order == kOrders.at(i).second);
  }
}

void add_grouping(MenuBuilder& menu, const MenuSource& source) {
  const TimelineState& state = *source.state;
  menu.line();
  menu.add("Group by process", {{"group", "process"}});
  menu.check(state.grouped && state.group_pattern.empty());
  menu.add("Group by a pattern of names…", {{"group", {}}});
  menu.check(state.grouped && !state.group_pattern.empty());
  menu.add("No groups", {{"group", "none"}});
  menu.check(!state.grouped);
  menu.line();
  menu.add("Fit heights to what is in view", {{"fit-rows", state.fit_rows ? "off" : "on"}});
  menu.check(state.fit_rows);
  menu.add("Hide threads without matches",
           {{"hide-without-matches", state.hide_without_matches ? "off" : "on"}});
  menu.check(state.hide_without_matches);
}

// The selected slice's or instant's name, for a search of exactly that name.

}  // namespace cinderscope
