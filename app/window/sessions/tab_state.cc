#include "app/window/sessions/tab_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/places/show_options.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/places/shows.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"
#include "ingest/base/text_hash.h"
#include "ingest/model/slice_nesting.h"
#include "render/layout/track_list.h"
#include "render/tables/statistics_table.h"

namespace cinderscope {

namespace {

constexpr std::size_t kBytesOfABookmark = 64;  // with a short note
constexpr std::string_view kTimesShown[] = {"start", "clock", "day"};

std::vector<std::uint32_t> numbers_of(const std::vector<TrackId>& tracks) {
  std::vector<std::uint32_t> numbers;
  for (const TrackId track : tracks) numbers.push_back(index(track));
  return numbers;
}

std::vector<std::uint32_t> tracks_of(const Timeline& timeline, const std::vector<TrackName>& names,
                                     const LookUp& look_up) {
  const std::vector<TrackName>* const list = &names;
  const auto found = tracks_named(timeline, std::span(&list, 1), look_up);
  std::vector<std::uint32_t> tracks;
  for (const TrackName& name : names) {
    if (const auto track = found.find(name); track != found.end()) tracks.push_back(track->second);
  }
  return tracks;
}

SavedScope scope_state(const Tab& tab) {
  const Timeline& timeline = tab.session->timeline();
  const TimelineState& state = tab.session->state();
  SavedScope saved;
  const ScopeChoice choice = tab.scope.choice(state);
  if (choice == ScopeChoice::range) saved.range = state.range;
  if (choice == ScopeChoice::thread) {
    saved.threads = track_names(timeline, numbers_of(selected_threads(state)));
  }
  saved.connected = choice == ScopeChoice::connected;
  saved.slices = tab.scope.slices_word();
  return saved;
}

SavedScope search_scope_state(const Tab& tab) {
  SavedScope saved;
  const TimelineState& state = tab.session->state();
  const ScopeChoice choice = tab.search.scope();
  if (choice == ScopeChoice::range) saved.range = state.range;
  if (choice == ScopeChoice::thread) {
    saved.threads = track_names(tab.session->timeline(), numbers_of(tab.search.scope_tracks()));
  }
  saved.connected = choice == ScopeChoice::connected;
  saved.slices = tab.search.slices_word();
  return saved;
}

void restore_search_scope(const SavedScope& saved, const LookUp& look_up, Tab& tab) {
  std::vector<TrackId> tracks;
  for (const std::uint32_t track : tracks_of(tab.session->timeline(), saved.threads, look_up)) {
    tracks.push_back(TrackId{track});
  }
  const bool range = saved.range && tab.session->state().range;
  tab.search.restore_scope(!saved.threads.empty() ? ScopeChoice::thread
                           : range                ? ScopeChoice::range
                                                  : ScopeChoice::trace,
                           std::move(tracks));
  static_cast<void>(tab.search.set_slices(saved.slices));
}

void restore_scope(const SavedScope& saved, const LookUp& look_up, Tab& tab) {
  TimelineState& state = tab.session->state();
  for (const std::uint32_t track : tracks_of(tab.session->timeline(), saved.threads, look_up)) {
    state.selected_tracks.insert(track);
  }
  // What cannot be measured here is not.
  if (!saved.threads.empty()) {
    static_cast<void>(tab.scope.choose("thread", state));
  } else if (saved.range) {
    static_cast<void>(tab.scope.choose("range", state));
  } else if (!saved.connected && state.range) {
    static_cast<void>(tab.scope.choose("trace", state));
  }
  static_cast<void>(tab.scope.choose_slices(saved.slices));
}

}  // namespace

SavedSql sql_state(const Tab& tab) {
  const auto& sql = tab.panel<SqlPanel>();
  return {.text = sql.text(),
          .query = sql.query_name(),
          .shown = sql.shows(),
          .tracks = sql.tracks().names()};
}

void restore_sql(AppContext& app, const SavedSql& saved, Tab& tab) {
  auto& sql = tab.panel<SqlPanel>();
  sql.set_text(saved.text, saved.query);
  sql.restore(app, tab, saved.shown, saved.tracks);
}

SessionTab tab_state(AppContext& app, const Tab& tab) {
  const Session& session = *tab.session;
  const Timeline& timeline = session.timeline();
  const TimelineState& state = session.state();
  SessionTab saved;
  saved.kind = tab.merged_files.empty() ? TabKind::trace : TabKind::merged;
  saved.view = saved_view_state(timeline, state, session.shows_whole());
  const double scroll_px = state.scroll_px;
  const TimelineView::TrackPlace top = tab.timeline_view.first_track(scroll_px);
  if (scroll_px > 0 && top.track != kNoTrack) {
    saved.top = track_name(timeline, top.track);
    saved.top_rows = top.above_px / kRowStepPx;
  }
  saved.selected = named_slice(timeline, state.selected);
  saved.filter = state.filter;
  saved.solo = track_names(
      timeline, std::vector<std::uint32_t>(state.solo_tracks.begin(), state.solo_tracks.end()));
  saved.search = tab.search.typed_text();
  saved.search_scope = search_scope_state(tab);
  const PanelsController& panels = *app.controllers().panels;
  saved.panel = panels.word_of(tab);
  saved.panel_shown = panels.open();
  saved.panel_px = panels.session_height_px().value_or(0);
  saved.scope = scope_state(tab);
  saved.whole_calls = tab.scope.whole_calls;
  const auto& statistics = tab.panel<StatisticsPanel>();
  saved.sort = statistics_columns()[statistics.order().column].head.key;
  saved.sort_descending = statistics.order().descending;
  saved.statistics_filter = statistics.order().filter;
  const auto& graph = tab.panel<FlameGraphPanel>();
  saved.flame_graph = {.way = std::string(graph.way()),
                       .weight = std::string(graph.weight(timeline)),
                       .function = graph.function(),
                       .zoomed = graph.zoom_names()};
  saved.time_shown = kTimesShown[static_cast<std::size_t>(state.time_shown)];
  saved.sql = sql_state(tab);
  return saved;
}

void restore_at_once(const SessionTab& saved, Tab& tab) {
  Session& session = *tab.session;
  TimelineState& state = session.state();
  state.bookmarks = saved.view.bookmarks;
  state.range = saved.view.range;
  if (!saved.view.view) return;
  session.view_was_moved();
  state.view = showing(saved.view.view->begin_ns, saved.view.view->end_ns, state.view.width_px);
}

void restore_tab(AppContext& app, const SessionTab& saved, Tab& tab) {
  Session& session = *tab.session;
  TimelineState& state = session.state();
  SavedViewState view = saved.view;
  view.bookmarks.clear();  // they are there already
  restore(view, session.timeline(), state);
  if (saved.view.view) state.view = clamped(state.view, session.limits());
  state.filter = saved.filter;
  const LookUp look_up{.processes = saved.view.processes};
  for (const std::uint32_t track : tracks_of(session.timeline(), saved.solo, look_up)) {
    state.solo_tracks.insert(track);
  }
  for (std::size_t i = 0; i < std::size(kTimesShown); ++i) {
    if (saved.time_shown == kTimesShown[i]) state.time_shown = static_cast<TimeShown>(i);
  }
  tab.search.set_text(saved.search);
  restore_search_scope(saved.search_scope, look_up, tab);
  tab.scope.whole_calls = saved.whole_calls;
  restore_scope(saved.scope, look_up, tab);
  auto& statistics = tab.panel<StatisticsPanel>();
  TableOrder order = statistics.order();
  if (const auto column = statistics_column(saved.sort)) {
    order.column = *column;
    order.descending = saved.sort_descending;
  }
  order.filter = saved.statistics_filter;
  statistics.set_order(std::move(order));
  auto& graph = tab.panel<FlameGraphPanel>();
  // A function that is not there leaves the graph as it is.
  static_cast<void>(graph.show(saved.flame_graph.weight, {}, session));
  if (saved.flame_graph.way != "callees") {
    static_cast<void>(graph.show(saved.flame_graph.way, saved.flame_graph.function, session));
  }
  graph.zoom_to(saved.flame_graph.zoomed);
  restore_sql(app, saved.sql, tab);
  if (saved.selected) {
    ShowOptions options;
    options.slice = saved.selected;
    options.keeps_place = true;
    options.connects_scope = saved.scope.connected;
    options.connects_search = saved.search_scope.connected;
    options.if_missing = "The selected call is not there any more.";
    ShowsController::show(tab, std::move(options));
  }
  app.draw_again();
}

void apply_layout(AppContext& app, const SessionTab& layout, Tab& tab, bool names_alone) {
  TimelineState& state = tab.session->state();
  state.collapsed_processes.clear();
  state.collapsed_tracks.clear();
  state.hidden_tracks.clear();
  state.pinned_tracks.clear();
  state.moved_tracks.clear();
  state.depth_limits.clear();
  state.solo_tracks.clear();
  state.order = TrackOrder::sort_index;
  state.grouped = true;
  state.group_pattern.clear();
  SavedViewState threads = layout.view;
  threads.range.reset();
  threads.bookmarks.clear();
  const Timeline& timeline = tab.session->timeline();
  restore(threads, timeline, state, names_alone);
  const LookUp look_up{.processes = threads.processes, .names_alone = names_alone};
  for (const std::uint32_t track : tracks_of(timeline, layout.solo, look_up)) {
    state.solo_tracks.insert(track);
  }
  state.filter = layout.filter;
  if (layout.sql != SavedSql()) restore_sql(app, layout.sql, tab);
  tab.search.set_text(layout.search);
  restore_search_scope(layout.search_scope, look_up, tab);
  if (&tab != app.tabs().page() || tab.panel_named(layout.panel) == nullptr) return;
  PanelsController& panels = *app.controllers().panels;
  panels.show(layout.panel);
  if (!layout.panel_shown) panels.toggle();
}

bool restore_scroll(const SessionTab& saved, Tab& tab) {
  if (!saved.top) return true;
  const auto track =
      track_named(tab.session->timeline(), *saved.top, {.processes = saved.view.processes});
  if (!track) return true;
  const auto scroll_px = tab.timeline_view.scroll_to({*track, saved.top_rows * kRowStepPx});
  if (scroll_px) tab.session->state().scroll_px = *scroll_px;
  return scroll_px.has_value();
}

// Before each frame, of thousands of bookmarks: as bytes, not as text.
std::uint64_t change_key(const Tab& tab) {
  std::string bytes;
  const auto add = [&bytes](auto number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto add_text = [&](const std::string& text) {
    add(text.size());
    bytes += text;
  };
  const auto add_all = [&](const auto& numbers) {
    for (const std::uint32_t number : numbers) add(number);
    add(UINT32_MAX);
  };
  const auto& sql = tab.panel<SqlPanel>();
  add(text_hash(sql.text()));
  add_text(sql.query_name());
  for (const std::string& name : sql.tracks().names()) add_text(name);
  if (tab.comparison != nullptr) {
    add(change_key(*tab.comparison));
    return text_hash(bytes);
  }
  const TimelineState& state = tab.session->state();
  add_text(tab.session->path());
  add_all(state.hidden_tracks);
  add_all(state.solo_tracks);
  add_all(state.collapsed_tracks);
  add_all(state.collapsed_processes);
  add_all(state.pinned_tracks);
  add_all(state.moved_tracks);
  add(state.order);
  add(state.grouped);
  add_text(state.group_pattern);
  for (const MergeFile& file : tab.merged_files) {
    add_text(file.path);
    add(file.offset.how);
    add(file.offset.ns);
  }
  bytes.reserve(bytes.size() + state.bookmarks.size() * kBytesOfABookmark);
  for (const Bookmark& mark : state.bookmarks) {
    add(mark.time_ns);
    add(mark.begin_ns);
    add(mark.end_ns);
    add_text(mark.note);
  }
  return text_hash(bytes);
}

}  // namespace cinderscope
