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

}  // namespace

std::uint64_t match_count(const TraceSearch& search) {
  return search.active() && search.matches() ? search.matches()->count() : 0;
}

std::string match_count_text(TraceSearch& search, const Session& session) {
  if (!search.active()) return {};
  if (!search.matches()) return "…";
  const std::uint64_t count = match_count(search);
  const std::string all = count_text(count) + (search.complete() ? "" : "…");
  if (count == 0) return search.complete() ? "no match" : all;
  const auto rank = search.current_rank(session.state());
  return rank ? fmt::format("{} of {}", count_text(*rank + 1), all) : all;
}

SearchFacts search_facts(TraceSearch& search, const Session& session) {
  SearchFacts facts{.text = search.text(), .complete = search.complete()};
  if (search.error()) facts.error = search.error()->text;
  if (!search.active() || !search.matches() || search.stale()) return facts;
  const MatchSet& set = *search.matches();
  facts.matches = set.count();
  facts.name_matches = set.name_count;
  facts.args_matches = set.args_count;
  if (const auto rank = search.current_rank(session.state())) facts.current = *rank + 1;
  return facts;
}

std::uint64_t SearchPanel::count(const Session& /*session*/) const {
  return match_count(search_);
}

std::vector<std::string> SearchPanel::notes(const Session& session) const {
  std::vector<std::string> notes;
  if (!search_.active() || !search_.matches()) return notes;
  const MatchSet& set = *search_.matches();
  const SearchAnswer& answer = search_.answer();
  if (set.count() > 0) {
    std::string text = counted(set.count(), "match", "matches");
    if (set.name_count == 0) {
      text += " by arguments";
    } else if (set.args_count > 0) {
      text += fmt::format(": {} by name, {} by arguments", cinderscope::count_text(set.name_count),
                          cinderscope::count_text(set.args_count));
    }
    notes.push_back(text);
  }
  if (!answer.complete) {
    if (session.source() != nullptr) {
      notes.push_back(
          fmt::format("reading arguments, {:.0f} %", std::floor(answer.records_read * 100)));
    } else {
      notes.emplace_back(session.loading() ? "arguments are searched once all is loaded"
                                           : "only names were searched: loading was stopped");
    }
  }
  if (answer.unsearched_calls > 0 || answer.more_unsearched) {
    notes.push_back(answer.unsearched_calls == 0
                        ? "calls that are still on disk were not searched"
                        : counted(answer.unsearched_calls, "call is", "calls are") +
                              (answer.more_unsearched ? " and more" : "") +
                              " still on disk, not searched");
  }
  if (std::string on_disk = disk_.search_text(); !on_disk.empty()) {
    notes.push_back(std::move(on_disk));
  }
  if (set.count() > kMostOrderedMatches) {
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
  if (!search_.complete() || match_count(search_) > 0) {
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
  const MatchOrder* lines = search_.active() ? search_.lines() : nullptr;
  SearchViewFrame view{.theme = frame.theme,
                       .area = frame.area,
                       .scope = search_.scope(),
                       .notes = notes(session),
                       .message = message(session),
                       .shows_examples = !search_.active()};
  if (search_.scope() == ScopeChoice::thread) {
    const std::vector<TrackId>& tracks = search_.scope_tracks();
    view.scope_name = tracks.size() == 1
                          ? match_thread(timeline, {.track = tracks.front()})
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
  if (lines == nullptr) return view;
  const MatchSet& set = *lines->matches;
  view.line_count = set.count();
  view.sortable = set.ordered();
  if (search_.lines_fit()) view.current = line_of(*lines, selected_ref(session.state()));
  if (followed_ != selected_ref(session.state()) || followed_in_ != lines->sorting) {
    followed_ = selected_ref(session.state());
    followed_in_ = lines->sorting;
    ++follow_;
  }
  view.follow = follow_;
  const TimestampFormat format = timestamp_format(timeline, session.state());
  view.line = [&timeline, &palette, lines, format](std::uint64_t line) {
    const MatchSet& matches = *lines->matches;
    const MatchRef match = match_on_line(*lines, line);
    const Slice slice = slice_of(matches, match);
    const std::string_view name = matches.slices->strings->label(slice.name);
    return SearchLine{.name = name.empty() ? std::string_view("(no name)") : name,
                      .colour = palette.box(matches.slices->strings->hash(slice.name)),
                      .begin = timestamp_text(slice.begin_ns, format),
                      .duration = match.instant
                                      ? ""
                                      : duration_text(slice.duration_ns, usual_longest_ns(timeline),
                                                      timeline.axis),
                      .thread = match_thread(timeline, match)};
  };
  return view;
}

void SearchPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  answer(view_.draw(view_frame(frame, palette)), frame, actions);
}

void SearchPanel::answer(const SearchViewEvents& events, const PanelFrame& frame,
                         Actions& actions) {
  if (events.scope) {
    actions.push_back(RunCommand{"search-scope", std::string(word_of(*events.scope))});
  }
  const MatchOrder* lines = search_.active() ? search_.lines() : nullptr;
  if (lines != nullptr) {
    const Timeline& timeline = frame.session.timeline();
    const auto is_line = [&](const std::optional<std::uint64_t>& line) {
      return line && *line < lines->matches->count();
    };
    if (is_line(events.copied_name)) {
      const Slice slice = slice_of(*lines->matches, match_on_line(*lines, *events.copied_name));
      actions.push_back(CopyText{std::string(lines->matches->slices->strings->text(slice.name))});
    }
    if (is_line(events.copied_line)) {
      actions.push_back(CopyText{match_as_text(*lines, timeline, *events.copied_line)});
    }
    if (events.copy_all) copy_all(frame.app, timeline);
    // Lines of an earlier timeline lead nowhere.
    const bool leads = search_.lines_fit();
    SearchController& search = *frame.app.controllers().search;
    if (leads && is_line(events.zoomed)) {
      search.zoom_to_match(match_on_line(*lines, *events.zoomed));
    } else if (leads && is_line(events.clicked)) {
      search.show_match(match_on_line(*lines, *events.clicked));
    }
  }
  if (events.sort) {
    search_.sort_by(static_cast<MatchColumn>(*events.sort));
    frame.app.draw_again();
  }
}

void SearchPanel::copy_all(AppContext& app, const Timeline& timeline) const {
  const CopiedMatches copied = matches_as_text(*search_.lines(), timeline);
  app.copy(copied.text);
  app.say_of_shown(copied.all ? fmt::format("{} lines copied", count_text(copied.lines))
                              : fmt::format("the first {} lines copied", count_text(copied.lines)));
}

}  // namespace cinderscope
