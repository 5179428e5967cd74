#include "app/window/panels/search_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/questions/chosen_scope.h"
#include "app/questions/match_text.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/search.h"
#include "app/window/panels/search_facts.h"
#include "ingest/base/saturating.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// What decides the unit of durations: the longest match is not known, but most calls are shorter
// than a thousandth of their trace. From a minute on, and below a millisecond, one unit serves all.
std::int64_t usual_longest_ns(const Timeline& timeline) {
  constexpr std::int64_t kMillisecondNs = 1'000'000, kMinuteNs = 60'000'000'000;
  const std::int64_t length_ns = saturating_difference(timeline.end_ns, timeline.begin_ns);
  if (length_ns >= kMinuteNs || length_ns < kMillisecondNs) return length_ns;
  return length_ns / 1000;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return count_text(count) + " " + std::string(count == 1 ? one : many);
}

SearchLine line_of_table(const DiskMatch& match, const StringPool& strings,
                         const Timeline& timeline, const Palette& palette,
                         const TimestampFormat& format) {
  const std::string_view name = strings.label(match.name);
  return {.name = name.empty() ? std::string_view("(no name)") : name,
          .colour = palette.box(strings.hash(match.name)),
          .begin = timestamp_text(match.begin_ns, format),
          .duration = match.instant ? ""
                                    : duration_text(match.duration_ns, usual_longest_ns(timeline),
                                                    timeline.axis),
          .thread = match_thread(timeline, match.track)};
}

}  // namespace

std::uint64_t SearchPanel::count(const Session& /*session*/) const {
  return match_count(search_, disk_);
}

std::vector<std::string> SearchPanel::notes(const Session& session) const {
  std::vector<std::string> notes;
  if (!search_.active() || !search_.matches()) return notes;
  const MatchSet& set = *search_.matches();
  const SearchAnswer& answer = search_.answer();
  const DiskMatchesPointer on_disk = disk_.matches();
  const bool from_disk = disk_lines() != nullptr && on_disk != nullptr;
  const std::uint64_t count = from_disk ? on_disk->count() : set.count();
  const std::uint64_t by_name = from_disk ? on_disk->name_count : set.name_count;
  const std::uint64_t by_args = from_disk ? on_disk->args_count : set.args_count;
  if (count > 0) {
    std::string text = counted(count, "match", "matches");
    if (by_name == 0) {
      text += " by arguments";
    } else if (by_args > 0) {
      text += fmt::format(": {} by name, {} by arguments", cinderscope::count_text(by_name),
                          cinderscope::count_text(by_args));
    }
    notes.push_back(text);
  }
  if (!answer.complete && !from_disk) {
    if (session.source() != nullptr) {
      notes.push_back(
          fmt::format("reading arguments, {:.0f} %", std::floor(answer.records_read * 100)));
    } else {
      notes.emplace_back(session.loading() ? "arguments are searched once all is loaded"
                                           : "only names were searched: loading was stopped");
    }
  }
  const bool is_searched_there = disk_.needed() && (disk_.busy(search_) || on_disk != nullptr);
  if (!is_searched_there && (answer.unsearched_calls > 0 || answer.more_unsearched)) {
    notes.push_back(answer.unsearched_calls == 0
                        ? "calls that are still on disk were not searched"
                        : counted(answer.unsearched_calls, "call is", "calls are") +
                              (answer.more_unsearched ? " and more" : "") +
                              " still on disk, not searched");
  }
  if (std::string text = disk_.search_text(); !text.empty()) notes.push_back(std::move(text));
  if (!from_disk && set.count() > kMostOrderedMatches) {
    notes.emplace_back("too many to be sorted: thread by thread");
  }
  return notes;
}

std::string SearchPanel::message(const Session& session) const {
  if (search_.error()) {
    const Error& error = *search_.error();
    if (error.offset_bytes < 0) return error.text;
    const auto before =
        std::string_view(search_.text()).substr(0, static_cast<std::size_t>(error.offset_bytes));
    const auto characters = std::count_if(before.begin(), before.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    });
    return fmt::format("{} (character {})", error.text, characters + 1);
  }
  if (!search_.active()) return "Type into the field above. What can be searched for:";
  if (!search_.complete() || disk_.busy(search_) || match_count(search_, disk_) > 0) {
    return session.loading() ? "Nothing so far; the trace is being read." : "Searching…";
  }
  const ScopeChoice scope = search_.scope();
  if (scope == ScopeChoice::thread && search_.scope_tracks().size() > 1) {
    return "Nothing in these threads matches.";
  }
  return scope == ScopeChoice::trace    ? "Nothing in the trace matches."
         : scope == ScopeChoice::thread ? "Nothing in this thread matches."
         : scope == ScopeChoice::range  ? "Nothing in the selected range matches."
                                        : "Nothing that is connected matches.";
}

SearchViewFrame SearchPanel::view_frame(const PanelFrame& frame, const Palette& palette) {
  const Session& session = frame.session;
  const Timeline& timeline = session.timeline();
  SearchViewFrame view{.theme = frame.theme,
                       .area = frame.area,
                       .scope = search_.scope(),
                       .notes = notes(session),
                       .message = message(session),
                       .shows_examples = !search_.active()};
  if (search_.scope() == ScopeChoice::thread) {
    const std::vector<TrackId>& tracks = search_.scope_tracks();
    view.scope_name = tracks.size() == 1
                          ? match_thread(timeline, tracks.front())
                          : fmt::format("{} threads", cinderscope::count_text(tracks.size()));
  } else if (search_.scope() == ScopeChoice::connected) {
    view.scope_name =
        "Connected with " + connected_name(timeline, connected_scope(search_.scope_slice()));
  }
  const TimelineState& state = session.state();
  const std::size_t selected = state.selected_tracks.size();
  view.scopes = {
      .range = state.range.has_value(),
      .thread = selected_ref(state) || selected > 0 || search_.scope() == ScopeChoice::thread,
      .call = state.selected || search_.scope() == ScopeChoice::connected,
      .flows = !timeline.flows->by_slice.empty(),
      .threads = selected};
  view.sorted_column = static_cast<std::size_t>(search_.sorting().column);
  view.descending = search_.sorting().descending;
  view.slices = {.shown = has_sample_tracks(timeline) && search_.measures_kinds(),
                 .slices = search_.searched(session).slices,
                 .searches = true};
  if (disk_lines() != nullptr) {
    show_on_disk(view, session, palette);
  } else {
    show_loaded(view, session, palette);
  }
  return view;
}

const DiskLines* SearchPanel::disk_lines() const {
  const DiskMatchesPointer found = disk_.matches();
  if (!search_.active() || found == nullptr || found->failed) return nullptr;
  // Until all is known the loaded ones may be more.
  const std::uint64_t loaded = search_.matches() ? search_.matches()->count() : 0;
  return found->complete || found->count() > loaded ? disk_.lines() : nullptr;
}

void SearchPanel::follow(const MatchRef& selected, MatchSorting sorting, bool on_disk) {
  if (followed_ == selected && followed_in_ == sorting && followed_on_disk_ == on_disk) return;
  followed_ = selected;
  followed_in_ = sorting;
  followed_on_disk_ = on_disk;
  ++follow_;
}

void SearchPanel::show_loaded(SearchViewFrame& view, const Session& session,
                              const Palette& palette) {
  const MatchOrder* lines = search_.active() ? search_.lines() : nullptr;
  if (lines == nullptr) return;
  const Timeline& timeline = session.timeline();
  const MatchSet& set = *lines->matches;
  view.line_count = set.count();
  view.sortable = set.ordered();
  if (search_.lines_fit()) view.current = line_of(*lines, selected_ref(session.state()));
  follow(selected_ref(session.state()), lines->sorting, false);
  view.follow = follow_;
  view.line = [&timeline, &palette, lines,
               format = timestamp_format(timeline, session.state())](std::uint64_t line) {
    const MatchSet& matches = *lines->matches;
    const MatchRef match = match_on_line(*lines, line);
    const Slice slice = slice_of(matches, match);
    return line_of_table(
        {slice.begin_ns, match.track, slice.record, slice.duration_ns, slice.name, match.instant},
        *matches.slices->strings, timeline, palette, format);
  };
}

void SearchPanel::show_on_disk(SearchViewFrame& view, const Session& session,
                               const Palette& palette) {
  const DiskLines* lines = disk_lines();
  const Timeline& timeline = session.timeline();
  view.line_count = lines->matches->listed.size();
  if (const auto selected = selected_on_disk(timeline, session.state())) {
    view.current = lines->line_of(*selected);
  }
  follow(selected_ref(session.state()), lines->sorting, true);
  view.follow = follow_;
  view.line = [&timeline, &palette, lines,
               format = timestamp_format(timeline, session.state())](std::uint64_t line) {
    return line_of_table(lines->on_line(line), *lines->matches->strings, timeline, palette, format);
  };
}

void SearchPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  answer(view_.draw(view_frame(frame, palette), actions), frame, actions);
}

void SearchPanel::answer(const SearchViewEvents& events, const PanelFrame& frame,
                         Actions& actions) {
  if (events.scope) {
    actions.push_back(RunCommand{"search-scope", std::string(word_of(*events.scope))});
  }
  if (disk_lines() != nullptr) {
    answer_on_disk(events, frame, actions);
  } else {
    answer_loaded(events, frame, actions);
  }
  if (events.sort) {
    search_.sort_by(static_cast<MatchColumn>(*events.sort));
    frame.app.draw_again();
  }
}

Result<TakenTable> SearchPanel::take_table(Session& session, TableText /*form*/) {
  const Timeline& timeline = session.timeline();
  const TimestampFormat times = timestamp_format(timeline, session.state());
  if (disk_lines() != nullptr) return taken_matches(disk_.shared_lines(), timeline, times);
  if (!search_.active()) return refused("Nothing is searched for.");
  if (search_.lines() == nullptr) return refused("The search is still running.");
  return taken_matches(search_.shared_lines(), timeline, times);
}

void SearchPanel::answer_loaded(const SearchViewEvents& events, const PanelFrame& frame,
                                Actions& actions) {
  const MatchOrder* lines = search_.active() ? search_.lines() : nullptr;
  if (lines == nullptr) return;
  const auto is_line = [&](const std::optional<std::uint64_t>& line) {
    return line && *line < lines->matches->count();
  };
  if (is_line(events.copied_name)) {
    const Slice slice = slice_of(*lines->matches, match_on_line(*lines, *events.copied_name));
    actions.push_back(CopyText{std::string(lines->matches->slices->strings->text(slice.name))});
  }
  if (is_line(events.copied_line)) {
    actions.push_back(
        CopyText{row_as_text(*take_table(frame.session, TableText::tsv), *events.copied_line)});
  }
  // Lines of an earlier timeline lead nowhere.
  const bool leads = search_.lines_fit();
  SearchController& search = *frame.app.controllers().search;
  if (leads && is_line(events.zoomed)) {
    search.zoom_to_match(match_on_line(*lines, *events.zoomed));
  } else if (leads && is_line(events.clicked)) {
    search.show_match(match_on_line(*lines, *events.clicked));
  }
}

void SearchPanel::answer_on_disk(const SearchViewEvents& events, const PanelFrame& frame,
                                 Actions& actions) {
  const DiskLines& lines = *disk_lines();
  const auto is_line = [&](const std::optional<std::uint64_t>& line) {
    return line && *line < lines.matches->listed.size();
  };
  if (is_line(events.copied_name)) {
    const StringId name = lines.on_line(*events.copied_name).name;
    actions.push_back(CopyText{std::string(lines.matches->strings->text(name))});
  }
  if (is_line(events.copied_line)) {
    actions.push_back(
        CopyText{row_as_text(*take_table(frame.session, TableText::tsv), *events.copied_line)});
  }
  SearchController& search = *frame.app.controllers().search;
  if (is_line(events.zoomed)) {
    search.show_on_disk(lines.on_line(*events.zoomed), true);
  } else if (is_line(events.clicked)) {
    search.show_on_disk(lines.on_line(*events.clicked), false);
  }
}

}  // namespace cinderscope
