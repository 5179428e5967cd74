#include "app/commands/menu_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/menu_builder.h"
#include "app/commands/thread_menus.h"
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
    const FlowLinks links = flow_links(*source.timeline, state.selected);
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
  menu.add("Save this range as…", {{"part", "threads all"}, {"part", "of range"}}, range);
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

void add_picture(MenuBuilder& menu, const MenuSource& source, const char* of) {
  menu.add("Save picture…", {{"picture", fmt::format("of {}", of)}});
  menu.add("Copy picture", {{"copy-picture", of}}, source.copies_pictures);
}

void add_views(MenuBuilder& menu, const MenuSource& source) {
  menu.line();
  menu.add_command("fit");
  menu.add_command("back");
  menu.add_command("forward");
  menu.add_command("bookmark");
  menu.line();
  add_picture(menu, source, "timeline");
}

void add_tab(MenuBuilder& menu, const MenuSource& source, std::uint64_t tab) {
  const std::string number = fmt::format("{}", tab);
  menu.add("Close", {{"close", number}});
  menu.add("Close all others", {{"close-others", number}}, source.tab_count > 1);
  menu.line();
  menu.add("Reload", {{"tab", number}, {"reload", {}}});
  menu.add("Copy the path", {{"copy-path", number}});
  menu.add("Save as…", {{"tab", number}, {"part", "threads all"}, {"part", "of all"}});
  menu.add("Pack for a colleague…", {{"pack", {}}});
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
  menu.line();
  menu.add("Settings…", {{"settings", {}}});
}

void add_table(MenuBuilder& menu, const MenuSource& source) {
  menu.add("Copy", {{"copy-table", {}}});
  menu.add("Copy as Markdown", {{"copy-table", "markdown"}});
  menu.add("Save…", {{"save-table", {}}});
  menu.line();
  menu.add_command("spreadsheet-texts");
  menu.check(source.spreadsheet_texts);
}

void add_histogram(MenuBuilder& menu, const MenuSource& source) {
  menu.add("Copy the bars", {{"copy-histogram", {}}});
  menu.add("Copy as Markdown", {{"copy-histogram", "markdown"}});
  menu.add("Save the bars…", {{"save-histogram", {}}});
  menu.line();
  add_picture(menu, source, "histogram");
}

}  // namespace

MenuTarget menu_target(std::string_view argument) {
  const CommandCall call = split_call(argument);
  MenuTarget target;
  const auto number = parse_number<decltype(target.number)>(call.argument);
  target.number = number.value_or(0);
  constexpr std::array<std::pair<std::string_view, Kind>, 3> kNumbered = {
      {{"track", Kind::track}, {"process", Kind::process}, {"tab", Kind::tab}}};
  constexpr std::array<std::pair<std::string_view, Kind>, 7> kPlain = {
      {{"open", Kind::open},
       {"ruler", Kind::ruler},
       {"overview", Kind::overview},
       {"merged", Kind::merged},
       {"table", Kind::table},
       {"histogram", Kind::histogram},
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
  if (target.kind == Kind::histogram) add_histogram(menu, source);
  const bool is_whole = target.kind == Kind::tab || target.kind == Kind::open ||
                        target.kind == Kind::table || target.kind == Kind::histogram;
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
  if (!threads) add_views(menu, source);
  return menu.take();
}

}  // namespace cinderscope
