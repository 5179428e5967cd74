#include "app/window/panels/search_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/questions/match_text.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "render/base/palette.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return count_text(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace

SearchPanel::SearchPanel() : finder_(core_count(), [] { Window::wake(); }) {}

const MatchSet* SearchPanel::shown_matches() const {
  return finder_.active() ? finder_.matches().get() : nullptr;
}

std::uint64_t SearchPanel::match_count() const {
  return finder_.active() && finder_.matches() ? finder_.matches()->count() : 0;
}

std::string SearchPanel::count_text(const Session& session) {
  if (!finder_.active()) return {};
  if (!finder_.matches()) return "…";
  const std::uint64_t count = match_count();
  const std::string all = cinderscope::count_text(count) + (finder_.complete() ? "" : "…");
  if (count == 0) return finder_.complete() ? "no match" : all;
  const auto rank = finder_.current_rank(session.state());
  return rank ? fmt::format("{} of {}", cinderscope::count_text(*rank + 1), all) : all;
}

std::vector<std::string> SearchPanel::notes(const Session& session,
                                            const std::string& on_disk) const {
  std::vector<std::string> notes;
  if (!finder_.active() || !finder_.matches()) return notes;
  const MatchSet& set = *finder_.matches();
  const SearchAnswer& answer = finder_.answer();
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
  if (!on_disk.empty()) notes.push_back(on_disk);
  if (set.count() > kMostOrderedMatches) {
    notes.emplace_back("too many to be sorted: thread by thread");
  }
  return notes;
}

std::string SearchPanel::message(const Session& session) const {
  if (finder_.error()) {
    const Error& error = *finder_.error();
    if (error.offset_bytes < 0) return error.text;
    const auto before =
        std::string_view(finder_.text()).substr(0, static_cast<std::size_t>(error.offset_bytes));
    const auto characters = std::count_if(before.begin(), before.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    });
    return fmt::format("{} (character {})", error.text, characters + 1);
  }
  if (!finder_.active()) return "Type into the field above. What can be searched for:";
  if (!finder_.complete() || match_count() > 0) {
    return session.loading() ? "Nothing so far; the trace is being read." : "Searching…";
  }
  const SearchScope scope = finder_.scope();
  return scope == SearchScope::trace    ? "Nothing in the trace matches."
         : scope == SearchScope::thread ? "Nothing in this thread matches."
                                        : "Nothing in the selected range matches.";
}

SearchViewEvents SearchPanel::draw(const PanelFrame& frame, const std::string& on_disk,
                                   Actions& actions) {
  Session& session = frame.session;
  const Timeline& timeline = session.timeline();
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  const MatchOrder* lines = finder_.active() ? finder_.lines() : nullptr;
  SearchViewFrame view{.theme = frame.theme,
                       .area = frame.area,
                       .scope = static_cast<std::size_t>(finder_.scope()),
                       .notes = notes(session, on_disk),
                       .message = message(session),
                       .shows_examples = !finder_.active()};
  if (finder_.scope() == SearchScope::thread) {
    view.scope_thread = match_thread(timeline, {.track = finder_.scope_track()});
  }
  view.sorted_column = static_cast<std::size_t>(finder_.sorting().column);
  view.descending = finder_.sorting().descending;
  const bool usable = lines != nullptr && finder_.lines_fit();
  if (lines != nullptr) {
    const MatchSet& set = *lines->matches;
    view.line_count = set.count();
    view.sortable = set.ordered();
    if (usable) view.current = line_of(*lines, selected_ref(session.state()));
    if (followed_ != selected_ref(session.state()) || followed_in_ != lines->sorting) {
      followed_ = selected_ref(session.state());
      followed_in_ = lines->sorting;
      ++follow_;
    }
    view.follow = follow_;
    view.line = [&](std::uint64_t line) {
      const MatchRef match = match_on_line(*lines, line);
      const Slice slice = slice_of(set, match);
      const std::string_view name = set.slices->strings->label(slice.name);
      return SearchLine{
          .name = name.empty() ? std::string_view("(no name)") : name,
          .colour = palette.box(set.slices->strings->hash(slice.name)),
          .begin = timestamp_text(slice.begin_ns, timeline.begin_ns, timeline.axis),
          .duration = match.instant ? "" : duration_text(slice.duration_ns, timeline.axis),
          .thread = match_thread(timeline, match)};
    };
  }
  SearchViewEvents events = view_.draw(view);
  if (events.sort) finder_.sort_by(static_cast<MatchColumn>(*events.sort));
  const auto is_line = [&](const std::optional<std::uint64_t>& line) {
    return line && lines != nullptr && *line < lines->matches->count();
  };
  if (is_line(events.copied_name)) {
    const Slice slice = slice_of(*lines->matches, match_on_line(*lines, *events.copied_name));
    actions.push_back(CopyText{std::string(lines->matches->slices->strings->text(slice.name))});
  }
  if (is_line(events.copied_line)) {
    actions.push_back(CopyText{match_as_text(*lines, timeline, *events.copied_line)});
  }
  // Lines of an earlier timeline lead nowhere.
  if (!usable || !is_line(events.clicked)) events.clicked.reset();
  if (!usable || !is_line(events.zoomed)) events.zoomed.reset();
  return events;
}

SearchFacts SearchPanel::facts(const Session& session) {
  SearchFacts facts{.text = finder_.text(), .complete = finder_.complete()};
  if (finder_.error()) facts.error = finder_.error()->text;
  if (!finder_.active() || !finder_.matches() || finder_.stale()) return facts;
  const MatchSet& set = *finder_.matches();
  facts.matches = set.count();
  facts.name_matches = set.name_count;
  facts.args_matches = set.args_count;
  if (const auto rank = finder_.current_rank(session.state())) facts.current = *rank + 1;
  return facts;
}

}  // namespace cinderscope
