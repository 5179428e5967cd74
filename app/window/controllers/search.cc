#include "app/window/controllers/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/thread_commands.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/comparison/match_step.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/search_facts.h"
#include "app/window/tab.h"
#include "ingest/base/saturating.h"
#include "render/text/time_text.h"
#include "render/views/chrome/toolbar.h"

namespace cinderscope {

namespace {

constexpr double kThinnestPx = 4;     // a match thinner than that is zoomed to
constexpr std::int64_t kAround = 16;  // of its own length, on either side of it
constexpr std::size_t kNotedBytes = 512;

}  // namespace

void SearchController::set_text(std::string text) {
  app_.controllers().look->note_text(std::string_view(text).substr(0, kNotedBytes));
  Tab& tab = *app_.tabs().shown();
  if (ComparePage* page = app_.controllers().compare->shown()) {  // both are searched
    for (const Side side : {side_a, side_b}) page->lane(side).search.set_text(text);
  } else {
    tab.search.set_text(std::move(text));
  }
  app_.draw_again();
}

bool SearchController::clear() {
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr || tab->search.text().empty()) return false;
  set_text({});
  return true;
}

bool SearchController::searching() const {
  return std::ranges::any_of(app_.tabs().with_lanes(), [](const Tab* tab) {
    return tab->search.searching() || tab->disk.busy(tab->search) || tab->pending_match;
  });
}

bool SearchController::take_key(const KeyChord& chord) {
  if (!field_.focused() || app_.tabs().shown() == nullptr) return false;
  if (chord.key == Key::escape) {
    set_text({});
    field_.leave();
    return true;
  }
  if (chord.key == Key::enter && !chord.ctrl && !chord.alt) {
    app_.tabs().shown()->search.step(chord.shift ? -1 : 1);
    app_.draw_again();
    return true;
  }
  // Those that ImGui's field knows: all, copy, cut, paste, undo, redo, words.
  constexpr std::array kOfTheField = {Key::a, Key::c,    Key::x,     Key::v,    Key::z,
                                      Key::y, Key::left, Key::right, Key::home, Key::end};
  return chord.ctrl && std::ranges::find(kOfTheField, chord.key) != kOfTheField.end();
}

bool SearchController::hides(const InputEvent& event) const {
  const auto* key = std::get_if<KeyChanged>(&event);
  return key != nullptr && key->down && field_.focused() &&
         (key->chord.key == Key::escape || key->chord.key == Key::enter);
}

void SearchController::draw_field(const Rect& toolbar) {
  Tab* tab = app_.tabs().shown();
  const Theme& theme = app_.theme();
  SearchFieldFrame field{.theme = theme, .area = search_field_area(theme, toolbar)};
  field.enabled = tab != nullptr && tab->session->has_trace();
  field.keys = app_.controllers().keys->map().all("search");
  if (tab != nullptr) {
    field_.show(tab->search.text());
    field.count = match_count_text(tab->search, tab->disk, *tab->session);
    const ComparePage* page = app_.controllers().compare->shown();
    if (page != nullptr) field.empty = "Search in both";
    if (page != nullptr && tab->search.active()) {
      const auto count = [&](Side side) {
        const TraceSearch& search = page->lane(side).search;
        const std::uint64_t matches = search.matches() == nullptr ? 0 : search.matches()->count();
        return count_text(matches) + (search.complete() ? "" : "…");
      };
      field.count = fmt::format("{} in A, {} in B", count(side_a), count(side_b));
    }
    if (const std::optional<Error>& error = tab->search.error()) {
      field.count = "not valid";
      field.error = error->text;
      field.error_offset = static_cast<std::size_t>(std::max<std::int64_t>(error->offset_bytes, 0));
    }
  } else {
    field_.show({});
  }
  const SearchFieldEvents events = field_.draw(field);
  if (tab == nullptr) return;
  if (events.edited) set_text(*events.edited);
  if (events.cleared) set_text({});
}

const MatchSet* SearchController::lit(const Tab& tab) const {
  const MatchSet* matches = tab.search.active() ? tab.search.matches().get() : nullptr;
  const bool one_of_two = is_lane(tab) || tab.comparison != nullptr;  // the other may have some
  return matches != nullptr && (matches->count() > 0 || one_of_two) ? matches : nullptr;
}

void SearchController::poll() {
  for (Tab* tab : app_.tabs().with_lanes()) {
    if (tab->search.poll(*tab->session)) app_.draw_again();
    if (tab->disk.poll(*tab->session, tab->search)) app_.draw_again();
  }
  Tab* tab = app_.tabs().shown();
  if (tab != nullptr && tab->session->has_trace()) {
    step(*tab);
    note_matched_tracks(*tab);
  }
}

// For the gutter, which may leave out threads without matches. While nothing was found so far all
// of them stay.
void SearchController::note_matched_tracks(Tab& tab) {
  std::optional<IndexSet>& tracks = tab.session->state().matched_tracks;
  const auto& matches = tab.search.matches();
  const bool known = tab.session->state().hide_without_matches && tab.search.active() &&
                     matches != nullptr && !tab.search.stale() &&
                     (matches->count() > 0 || tab.search.complete());
  const DiskMatchesPointer on_disk = known ? tab.disk.matches() : nullptr;
  const bool waits = known && matches->count() == 0 && tab.disk.busy(tab.search) &&
                     (on_disk == nullptr || on_disk->count() == 0);
  if (!known || waits) {
    noted_.reset();
    noted_on_disk_.reset();
    tracks.reset();
    return;
  }
  if (tracks && noted_ == matches && noted_on_disk_ == on_disk) return;
  noted_ = matches;
  noted_on_disk_ = on_disk;
  tracks = on_disk == nullptr ? IndexSet() : on_disk->tracks;
  for (const MatchRow& row : matches->rows) tracks->insert(index(row.track));
  app_.draw_again();
}

void SearchController::step(Tab& tab) {
  if (scroll_due_) {
    // Its row was folded away when it was selected; by now the list of rows has it.
    const MatchRef match = *std::exchange(scroll_due_, std::nullopt);
    if (selected_ref(tab.session->state()) == match) scroll_to(match);
  }
  if (ComparePage* page = app_.controllers().compare->shown()) return step_both(*page, tab);
  if (step_on_disk(tab)) return;
  const auto found = tab.search.take_step(tab.session->state());
  if (!found) return;
  app_.draw_again();
  if (!found->match) return app_.say_of_shown("no match");
  if (found->wrapped)
    app_.say_of_shown(found->direction > 0 ? "first match again" : "last match again");
  show_match(found->match);
}

// Through both lanes of a comparison.
void SearchController::step_both(ComparePage& page, Tab& tab) {
  const int direction = tab.search.wanted_step();
  if (direction == 0) return;
  const std::optional<SideMatch> found = match_step(page, direction);
  if (!found) return;
  tab.search.drop_step();
  app_.draw_again();
  if (!found->match) return app_.say_of_shown("no match");
  if (found->wrapped) {
    app_.say_of_shown(direction > 0 ? "first match again" : "last match again");
  }
  if (page.act_on(found->side, true)) app_.controllers().view->stop();
  show_match(found->match);
}

void SearchController::scroll_to(const MatchRef& match) {
  Tab& tab = *app_.tabs().shown();
  TimelineState& state = tab.session->state();
  SliceRef place{match.track, match.block, match.row, match.slice};
  if (match.instant) {
    place =
        call_around(tab.session->timeline(), {match.track, match.slice, match.block, match.row});
    place.track = match.track;
  }
  state.scroll_px = tab.timeline_view.scroll_for(tab.session->timeline(), state, place);
  app_.draw_again();
}

void SearchController::show_match(const MatchRef& match) {
  ViewController& view = *app_.controllers().view;
  Session& session = *app_.tabs().shown()->session;
  TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  if (index(match.track) >= timeline.tracks.size()) return;
  const SliceRef place{match.track, match.block, match.row, match.slice};
  const std::uint32_t row = match.instant ? 0 : track_row_of(timeline, place);
  const bool unfolds = show_track(timeline, match.track, row + 1, state);
  Slice slice;
  if (match.instant) {
    const InstantRef ref{match.track, match.slice, match.block, match.row};
    const SliceRow* instants = instants_of(timeline, ref);
    if (instants == nullptr) return;
    slice = instants->slice(match.slice);
    state.selected = {};
    state.selected_counter = {};
    state.selected_instant = ref;
  } else {
    const SliceRef ref{match.track, match.block, match.row, match.slice};
    if (block_of(timeline, ref) == nullptr) return;
    slice = slice_at(timeline, ref);
    view.select(ref, false);
  }
  if (unfolds) scroll_due_ = match;
  scroll_to(match);

  const double width_px = static_cast<double>(slice.duration_ns) / state.view.ns_per_px;
  if (slice.duration_ns > 0 && width_px < kThinnestPx) {
    const std::int64_t around =
        slice.duration_ns > INT64_MAX / kAround ? INT64_MAX : slice.duration_ns * kAround;
    return view.zoom_to(saturating_difference(slice.begin_ns, around),
                        saturating_sum(slice.end_ns(), around));
  }
  const double left_px = state.view.px_from_ns(slice.begin_ns);
  const double right_px = state.view.px_from_ns(slice.end_ns());
  const auto view_px = static_cast<double>(state.view.width_px);
  // At the very edge it would hardly be seen.
  const double edge_px = std::min(view_px / 10, static_cast<double>(app_.theme().px(24)));
  if (left_px < view_px - edge_px && right_px > edge_px) return;
  const double middle_px = width_px < view_px ? (left_px + right_px) / 2 : left_px + view_px / 4;
  view.show(panned(state.view, middle_px - view_px / 2), true, true);
}

void SearchController::zoom_to_match(const MatchRef& match) {
  show_match(match);
  const Session& session = *app_.tabs().shown()->session;
  const SliceRef ref{match.track, match.block, match.row, match.slice};
  if (match.instant || block_of(session.timeline(), ref) == nullptr) return;
  const Slice slice = slice_at(session.timeline(), ref);
  app_.controllers().view->zoom_to_call(slice.begin_ns, slice.end_ns());
}

namespace {

Status search_slices(AppContext& app, const CommandArguments& arguments) {
  return app.tabs().shown()->search.set_slices(arguments.text());
}

Status search(AppContext& app, const CommandArguments& arguments) {
  if (arguments.empty()) {
    app.controllers().search->focus();
  } else {
    app.controllers().search->set_text(arguments.text());
  }
  return ok();
}

Status step_match(AppContext& app, int direction) {
  TraceSearch& search = app.tabs().shown()->search;
  if (search.active()) {
    search.step(direction);
  } else if (search.error()) {
    return *search.error();
  } else {
    app.controllers().search->focus();
  }
  return ok();
}

Status next_match(AppContext& app, const CommandArguments& /*arguments*/) {
  return step_match(app, 1);
}

Status previous_match(AppContext& app, const CommandArguments& /*arguments*/) {
  return step_match(app, -1);
}

Status search_scope(AppContext& app, const CommandArguments& arguments) {
  Tab& tab = *app.tabs().shown();
  const bool whole = tab.search.scope() == ScopeChoice::trace;
  const ScopeChoice other = whole ? ScopeChoice::thread : ScopeChoice::trace;
  const ScopeChoice scope = scope_choice(arguments.text()).value_or(other);
  return tab.search.set_scope(scope, tab.session->state());
}

constexpr Command kSearchCommands[] = {
    {"search", "[TEXT]", "Ctrl+F /", "Search", CommandGroup::search, CommandNeeds::trace, search},
    {"next-match", "", "N Enter", "Next match", CommandGroup::search, CommandNeeds::trace,
     next_match},
    {"previous-match", "", "Shift+N Shift+Enter", "Previous match", CommandGroup::search,
     CommandNeeds::trace, previous_match},
    {"search-scope", "[trace|thread|range|connected]", "", "Search scope", CommandGroup::search,
     CommandNeeds::trace, search_scope},
    {"search-slices", "[calls|samples|both]", "", "Search calls, samples or both",
     CommandGroup::search, CommandNeeds::trace, search_slices},
};

}  // namespace

std::span<const Command> search_commands() {
  return kSearchCommands;
}

}  // namespace cinderscope
