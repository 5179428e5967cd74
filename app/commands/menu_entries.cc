#include "app/commands/menu_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "ingest/base/number_text.h"
#include "ingest/model/flow_links.h"
#include "ingest/search/search_query.h"
#include "render/base/actions.h"
#include "render/layout/hit.h"
#include "render/text/file_name.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

using Kind = MenuTarget::Kind;

class MenuBuilder {
 public:
  explicit MenuBuilder(const MenuSource& source) : source_(source) {}

  // A command with its own help text.
  void add_command(std::string_view name) { add(help(name), {{std::string(name), {}}}); }
  void add(std::string label, std::vector<MenuEntry::Call> calls, bool able = true) {
    const bool all = std::ranges::all_of(calls, [this](const MenuEntry::Call& call) {
      const Command* command = source_.commands.named(call.name);
      return command != nullptr && enabled(*command, source_.enabled);
    });
    if (line_due_ && !entries_.empty()) entries_.emplace_back();
    line_due_ = false;
    entries_.push_back(
        {.label = std::move(label), .calls = std::move(calls), .enabled = able && all});
  }
  std::string help(std::string_view name) const {
    const Command* command = source_.commands.named(name);
    return command == nullptr ? std::string() : std::string(command->help);
  }
  void check(bool checked) { entries_.back().checked = checked; }
  void line() { line_due_ = true; }  // before the next entry, if there is one

  std::vector<MenuEntry> take() { return std::move(entries_); }

 private:
  const MenuSource& source_;
  std::vector<MenuEntry> entries_;
  bool line_due_ = false;
};

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
  menu.add("Unselect", {{"select-threads", "none"}});
}

void add_thread(MenuBuilder& menu, const MenuSource& source, std::uint64_t track) {
  const TimelineState& state = *source.state;
  const std::string name = fmt::format("track {}", track);
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
  add_selected_threads(menu, state, number);
}

void add_process(MenuBuilder& menu, const MenuSource& source, std::uint64_t process) {
  const std::string name = fmt::format("process {}", process);
  if (source.state->collapsed_processes.contains(static_cast<std::uint32_t>(process))) {
    menu.add("Expand", {{"expand", name}});
  } else {
    menu.add("Collapse", {{"collapse", name}});
  }
  menu.add("Hide", {{"hide", name}});
  menu.add("Show only this process", {{"solo", name}});
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
std::optional<std::string> searched_name(const MenuSource& source) {
  const TimelineState& state = *source.state;
  const Timeline& timeline = *source.timeline;
  if (const SliceRow* instants = instants_of(timeline, state.selected_instant)) {
    return search_text_for(timeline.text(instants->name(state.selected_instant.instant)));
  }
  if (block_of(timeline, state.selected) == nullptr) return std::nullopt;
  return search_text_for(timeline.text(slice_at(timeline, state.selected).name));
}

void add_selection(MenuBuilder& menu, const MenuSource& source) {
  const TimelineState& state = *source.state;
  const bool slice = block_of(*source.timeline, state.selected) != nullptr;
  if (slice) {
    menu.add("Zoom to this call", {{"zoom-selection", {}}});
    menu.add_command("select-parent");
    menu.add_command("select-child");
    const Slice selected = slice_at(*source.timeline, state.selected);
    menu.add("Select its range of time",
             {{"select-range", fmt::format("{} {}", selected.begin_ns, selected.end_ns())}},
             selected.duration_ns > 0);
    menu.line();
  }
  if (const auto text = searched_name(source)) {
    menu.add("Search for all of this name", {{"search", *text}});
  }
  const TrackId track = slice                    ? state.selected.track
                        : state.selected_instant ? state.selected_instant.track
                                                 : state.selected_counter.track;
  if (slice) {
    menu.add("Statistics of this thread", {{"panel", "statistics"}, {"scope", "thread"}});
  }
  if (slice && !source.timeline->flows->by_slice.empty()) {
    const FlowLinks links = flow_links(*source.timeline->flows, state.selected);
    menu.line();
    menu.add(menu.help("follow-flow"), {{"follow-flow", {}}}, !links.out.empty());
    menu.add(menu.help("follow-flow-back"), {{"follow-flow-back", {}}}, !links.in.empty());
    menu.add("Statistics of all that is connected",
             {{"panel", "statistics"}, {"scope", "connected"}});
    menu.add("Flame graph of all that is connected",
             {{"panel", "flame-graph"}, {"scope", "connected"}});
  }
  menu.line();
  menu.add("Copy the name", {{"copy-name", {}}});
  menu.add_command("copy-details");
  menu.line();
  const std::string thread = fmt::format("track {}", index(track));
  menu.add("Collapse this thread", {{"collapse", thread}});
  menu.add("Hide this thread", {{"hide", thread}});
}

void add_merged(MenuBuilder& menu, const MenuSource& source) {
  const std::optional<MergedSlices>& merged = source.state->hovered_merged;
  if (!merged) return;
  const auto total = total_of(*source.timeline, *merged);
  if (!total) return;
  const std::string range = fmt::format("{} {}", total->begin_ns, total->end_ns);
  menu.add("Zoom to these calls", {{"zoom-to", range}}, total->end_ns > total->begin_ns);
  menu.add("Select their range of time", {{"select-range", range}},
           total->end_ns > total->begin_ns);
}

void add_range(MenuBuilder& menu, const MenuSource& source) {
  const bool range = source.state->range.has_value();
  menu.line();
  menu.add(menu.help("zoom-range"), {{"zoom-range", {}}}, range);
  menu.add("Statistics of the selected range", {{"panel", "statistics"}, {"scope", "range"}},
           range);
  menu.add("Flame graph of the selected range", {{"panel", "flame-graph"}, {"scope", "range"}},
           range);
  menu.add("Save this range as…", {{"save-part", {}}}, range);
  menu.add("Clear the range", {{"select-range", {}}}, range);
}

void add_time(MenuBuilder& menu, const MenuSource& source) {
  const TimeShown shown = source.state->time_shown;
  menu.add("Times from the start", {{"time-shown", "start"}});
  menu.check(shown == TimeShown::from_start);
  menu.add("Times as in the file", {{"time-shown", "clock"}});
  menu.check(shown == TimeShown::clock);
  menu.add("Time of day", {{"time-shown", "day"}});
  menu.check(shown == TimeShown::time_of_day);
  menu.line();
  menu.add("Always nanoseconds", {{"time-unit", source.state->ruler_in_ns ? "auto" : "ns"}});
  menu.check(source.state->ruler_in_ns);
}

void add_views(MenuBuilder& menu) {
  menu.line();
  menu.add_command("fit");
  menu.add_command("back");
  menu.add_command("forward");
  menu.add_command("bookmark");
  menu.line();
  menu.add("Save picture…", {{"picture", "of timeline"}});
}

void add_tab(MenuBuilder& menu, const MenuSource& source, std::uint64_t tab) {
  const std::string number = fmt::format("{}", tab);
  menu.add("Close", {{"close", number}});
  menu.add("Close all others", {{"close-others", number}}, source.tab_count > 1);
  menu.line();
  menu.add("Reload", {{"tab", number}, {"reload", {}}});
  menu.add("Copy the path", {{"copy-path", number}});
}

void add_open(MenuBuilder& menu, const MenuSource& source) {
  constexpr std::size_t kMostRecent = 12;
  menu.add("Open…", {{"open", {}}});
  if (source.has_dialog) menu.add("Browse…", {{"browse", {}}});
  menu.add("Add to this timeline…", {{"merge", {}}});
  menu.line();
  for (const RecentFile& file : source.recent.first(std::min(source.recent.size(), kMostRecent))) {
    menu.add(drawable(telling_name(file.path)), {{"open", quoted_argument(file.path)}});
  }
  menu.line();
  if (!source.sample.empty()) {
    menu.add("Open the sample", {{"open", quoted_argument(source.sample)}});
  }
}

void add_table(MenuBuilder& menu, const MenuSource& source) {
  menu.add("Copy", {{"copy-table", {}}});
  menu.add("Copy as Markdown", {{"copy-table", "markdown"}});
  menu.add("Save…", {{"save-table", {}}});
  menu.line();
  menu.add_command("spreadsheet-texts");
  menu.check(source.spreadsheet_texts);
}

}  // namespace

MenuTarget menu_target(std::string_view argument) {
  const CommandCall call = split_call(argument);
  MenuTarget target;
  const auto number = parse_number<decltype(target.number)>(call.argument);
  target.number = number.value_or(0);
  constexpr std::array<std::pair<std::string_view, Kind>, 3> kNumbered = {
      {{"track", Kind::track}, {"process", Kind::process}, {"tab", Kind::tab}}};
  constexpr std::array<std::pair<std::string_view, Kind>, 6> kPlain = {
      {{"open", Kind::open},
       {"ruler", Kind::ruler},
       {"overview", Kind::overview},
       {"merged", Kind::merged},
       {"table", Kind::table},
       {"empty", Kind::empty}}};
  for (const auto& [name, kind] : kNumbered) {
    if (number && call.name == name) target.kind = kind;
  }
  constexpr std::string_view kGroup = "group ";  // its name may be any text
  if (argument.starts_with(kGroup) && argument.size() > kGroup.size()) {
    target.kind = Kind::group;
    target.name = argument.substr(kGroup.size());
  }
  for (const auto& [name, kind] : kPlain) {
    if (call.argument.empty() && call.name == name) target.kind = kind;
  }
  return target;
}

std::vector<MenuEntry> menu_entries(const MenuTarget& target, const MenuSource& source) {
  MenuBuilder menu(source);
  if (target.kind == Kind::tab) add_tab(menu, source, target.number);
  if (target.kind == Kind::open) add_open(menu, source);
  if (target.kind == Kind::table) add_table(menu, source);
  const bool is_whole =
      target.kind == Kind::tab || target.kind == Kind::open || target.kind == Kind::table;
  if (source.timeline == nullptr || is_whole) return menu.take();
  const Timeline& timeline = *source.timeline;
  const bool threads =
      target.kind == Kind::track || target.kind == Kind::process || target.kind == Kind::group;
  if (target.kind == Kind::track && target.number < timeline.tracks.size()) {
    add_thread(menu, source, target.number);
  } else if (target.kind == Kind::process && target.number < timeline.processes.size()) {
    add_process(menu, source, target.number);
  } else if (target.kind == Kind::group) {
    add_group(menu, source, target.name);
  } else if (target.kind == Kind::merged) {
    add_merged(menu, source);
    add_range(menu, source);
  } else if (target.kind == Kind::ruler) {
    add_time(menu, source);
    add_range(menu, source);
  } else if (target.kind == Kind::overview) {
    menu.add(menu.help("zoom-range"), {{"zoom-range", {}}}, source.state->range.has_value());
  } else if (target.kind == Kind::selection && source.enabled.has_selection) {
    add_selection(menu, source);
  } else if (!threads) {
    add_range(menu, source);
  }
  if (threads) add_order(menu, source);
  if (threads) add_grouping(menu, source);
  if (threads || target.kind == Kind::empty || target.kind == Kind::selection) {
    menu.line();
    menu.add_command("show-all");
  }
  if (!threads) add_views(menu);
  return menu.take();
}

}  // namespace cinderscope
