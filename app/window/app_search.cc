// Searching: the field, its keys and commands, and the way to what was found.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands/thread_commands.h"
#include "app/questions/match_text.h"
#include "app/window/app.h"
#include "ingest/base/saturating.h"
#include "render/text/time_text.h"
#include "render/views/chrome/toolbar.h"

namespace cinderscope {

namespace {

constexpr double kThinnestPx = 4;     // a match thinner than that is zoomed to
constexpr std::int64_t kAround = 16;  // of its own length, on either side of it

}  // namespace

std::string App::run_search_command(const Command& command, std::string_view argument) {
  Tab& tab = *active();
  TraceSearch& finder = tab.search.finder();
  switch (command.id) {
    case CommandId::search:
      if (argument.empty()) {
        search_field_.focus();
      } else {
        set_search(std::string(argument));
      }
      return {};
    case CommandId::search_scope: {
      SearchScope scope = finder.scope();
      if (argument == "trace") {
        scope = SearchScope::trace;
      } else if (argument == "thread") {
        scope = SearchScope::thread;
      } else if (argument == "range") {
        scope = SearchScope::range;
      } else if (argument.empty()) {
        scope = scope == SearchScope::trace ? SearchScope::thread : SearchScope::trace;
      } else {
        return "A search goes over the trace, a thread or the range.";
      }
      return finder.set_scope(scope, tab.session->state());
    }
    default:
      if (!finder.active()) {
        if (finder.error()) return finder.error()->text;
        search_field_.focus();
        return {};
      }
      finder.step(command.id == CommandId::next_match ? 1 : -1);
      return {};
  }
}

void App::set_search(std::string text) {
  fonts_.note(std::string_view(text).substr(0, 512));
  active()->search.finder().set_text(std::move(text));
  draw_again();
}

bool App::searching() const {
  return std::any_of(tabs_.begin(), tabs_.end(), [](const auto& tab) {
    const TraceSearch& finder = tab->search.finder();
    return finder.searching() || tab->disk.busy(finder) || tab->sought;
  });
}

// While the field is typed into, keys are text but for these.
bool App::take_search_key(const KeyChanged& key) {
  if (!search_field_.focused() || active() == nullptr) return false;
  const KeyChord& chord = key.chord;
  if (chord.key == Key::escape) {
    set_search({});
    search_field_.leave();
    return true;
  }
  if (chord.key == Key::enter && !chord.ctrl && !chord.alt) {
    active()->search.finder().step(chord.shift ? -1 : 1);
    draw_again();
    return true;
  }
  // Those that ImGui's field knows: all, copy, cut, paste, undo, redo, words.
  constexpr std::array kOfTheField = {Key::a, Key::c,    Key::x,     Key::v,    Key::z,
                                      Key::y, Key::left, Key::right, Key::home, Key::end};
  return chord.ctrl &&
         std::find(kOfTheField.begin(), kOfTheField.end(), chord.key) != kOfTheField.end();
}

// ImGui would leave the field on these two.
bool App::is_key_of_search(const InputEvent& event) const {
  const auto* key = std::get_if<KeyChanged>(&event);
  return key != nullptr && key->down && search_field_.focused() &&
         (key->chord.key == Key::escape || key->chord.key == Key::enter);
}

bool App::clear_search() {
  Tab* tab = active();
  if (tab == nullptr || tab->search.finder().text().empty()) return false;
  set_search({});
  return true;
}

void App::draw_search_field(const Rect& toolbar) {
  Tab* tab = active();
  const bool enabled = tab != nullptr && tab->session->has_trace();
  SearchFieldFrame field{.theme = theme_, .area = search_field_area(theme_, toolbar)};
  field.enabled = enabled;
  field.keys = keys_.all(CommandId::search);
  if (tab != nullptr) {
    SearchPanel& search = tab->search;
    search_field_.show(search.finder().text());
    field.count = search.count_text(*tab->session);
    if (search.finder().error()) {
      field.error = search.finder().error()->text;
      field.error_offset = static_cast<std::size_t>(
          std::max<std::int64_t>(search.finder().error()->offset_bytes, 0));
    }
  } else {
    search_field_.show({});
  }
  const SearchFieldEvents events = search_field_.draw(field);
  if (tab == nullptr) return;
  if (events.edited) set_search(*events.edited);
  if (events.cleared) set_search({});
}

void App::draw_search_panel(Tab& tab, const PanelFrame& frame, Actions& actions) {
  const SearchViewEvents events = tab.search.draw(frame, tab.disk.search_text(), actions);
  TraceSearch& finder = tab.search.finder();
  if (events.scope) {
    constexpr std::array kScopes = {"trace", "thread", "range"};
    actions.push_back(RunCommand{"search-scope", kScopes.at(*events.scope)});
  }
  if (events.sort) draw_again();
  if (events.copy_all && finder.lines() != nullptr) {
    const CopiedMatches copied = matches_as_text(*finder.lines(), tab.session->timeline());
    window_.set_clipboard(copied.text);
    say(copied.all ? fmt::format("{} lines copied", count_text(copied.lines))
                   : fmt::format("the first {} lines copied", count_text(copied.lines)));
  }
  if (events.zoomed) {
    const MatchRef match = match_on_line(*finder.lines(), *events.zoomed);
    show_match(match);
    const Slice slice = slice_of(*finder.lines()->matches, match);
    if (!match.instant) zoom_to(slice.begin_ns, slice.end_ns());
  } else if (events.clicked) {
    show_match(match_on_line(*finder.lines(), *events.clicked));
  }
}

void App::step_search() {
  Tab* tab = active();
  if (tab == nullptr || !tab->session->has_trace()) return;
  if (scroll_due_) {
    // Its row was folded away when it was selected; by now the list of rows has it.
    const MatchRef match = *std::exchange(scroll_due_, std::nullopt);
    TimelineState& state = tab->session->state();
    if (selected_ref(state) == match) scroll_to(match);
  }
  if (step_on_disk(*tab)) return;
  const auto found = tab->search.finder().take_step(tab->session->state());
  if (!found) return;
  draw_again();
  if (!found->match) return say("no match");
  if (found->wrapped) say(found->direction > 0 ? "first match again" : "last match again");
  show_match(found->match);
}

void App::scroll_to(const MatchRef& match) {
  Tab& tab = *active();
  TimelineState& state = tab.session->state();
  SliceRef place{match.track, match.block, match.row, match.slice};
  if (match.instant) {
    place =
        call_around(tab.session->timeline(), {match.track, match.slice, match.block, match.row});
    place.track = match.track;
  }
  state.scroll_px = tab.timeline_view.scroll_for(tab.session->timeline(), state, place);
  draw_again();
}

// Selects the match and brings it into sight, unfolding what hides it.
void App::show_match(const MatchRef& match) {
  Tab& tab = *active();
  Session& session = *tab.session;
  TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  if (index(match.track) >= timeline.tracks.size()) return;
  const bool unfolds = show_track(timeline, match.track, true, state);
  Slice slice;
  if (match.instant) {
    const InstantRef ref{match.track, match.slice, match.block, match.row};
    const SliceRow* instants = instants_of(timeline, ref);
    if (instants == nullptr) return;
    slice = instants->slice(match.slice);
    state.selected = {};
    state.selected_instant = ref;
  } else {
    const SliceRef ref{match.track, match.block, match.row, match.slice};
    if (block_of(timeline, ref) == nullptr) return;
    slice = slice_at(timeline, ref);
    select(ref, false);
  }
  if (unfolds) scroll_due_ = match;
  scroll_to(match);

  const double width_px = static_cast<double>(slice.duration_ns) / state.view.ns_per_px;
  if (slice.duration_ns > 0 && width_px < kThinnestPx) {
    const std::int64_t around =
        slice.duration_ns > INT64_MAX / kAround ? INT64_MAX : slice.duration_ns * kAround;
    return zoom_to(saturating_difference(slice.begin_ns, around),
                   saturating_sum(slice.end_ns(), around));
  }
  const double left_px = state.view.px_from_ns(slice.begin_ns);
  const double right_px = state.view.px_from_ns(slice.end_ns());
  const auto view_px = static_cast<double>(state.view.width_px);
  // At the very edge it would be as good as out of sight.
  const double edge_px = std::min(view_px / 10, static_cast<double>(theme_.px(24)));
  if (left_px < view_px - edge_px && right_px > edge_px) return;
  const double middle_px = width_px < view_px ? (left_px + right_px) / 2 : left_px + view_px / 4;
  show_view(panned(state.view, middle_px - view_px / 2), true, true);
}

}  // namespace cinderscope
