#include "app/window/places/shows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/commands/arguments.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/view.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"
#include "app/window/window.h"

namespace cinderscope {

namespace {

constexpr std::chrono::seconds kProblemShown{12};

// Nothing of it changes by itself any more.
bool is_settled(AppContext& app, const Tab& tab) {
  const Session& session = *tab.session;
  return session.has_trace() && !session.loading() && !session.renaming() &&
         app.controllers().store->has_put_back(tab) && !app.controllers().layouts->busy(tab);
}

Result<TimeRange> range_of(AppContext& app, const std::pair<TypedTime, TypedTime>& ends) {
  const Result<TypedRange> range =
      range_in(app.controllers().view->times(true), ends.first, ends.second);
  if (!range) return range.error();
  return TimeRange{range->begin_ns, range->end_ns};
}

}  // namespace

ShowsController::ShowsController(AppContext& app) : app_(app), found_([] { Window::wake(); }) {}

void ShowsController::note_added(Tab& tab) {
  if (!expected_) return;
  show(tab, *std::exchange(expected_, std::nullopt));
}

void ShowsController::show(Tab& tab, ShowOptions options) {
  if (!options.empty()) tab.to_show = std::make_unique<ShowOptions>(std::move(options));
}

bool ShowsController::busy() const {
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr) return false;
  const Session& session = *tab->session;
  const bool comes = session.loading() || (session.has_trace() && !tab->told_error);
  return target_.has_value() || (tab->to_show != nullptr && comes);
}

void ShowsController::poll() {
  if (found_.poll() || found_.is_whole()) take_found();
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr || tab->to_show == nullptr || !is_settled(app_, *tab)) return;
  if (!tab->to_show->layout.empty()) {
    return app_.controllers().layouts->apply(
        *tab, absolute_path(std::exchange(tab->to_show->layout, {})));
  }
  const SqlController& sql = *app_.controllers().sql;
  if (!tab->to_show->sql.empty() && sql.busy()) return;  // the saved queries are being read
  const std::unique_ptr<ShowOptions> options = std::move(tab->to_show);
  show_now(*tab, std::move(*options));
}

void ShowsController::problem(Tab& tab, const std::string& text) {
  fmt::print(stderr, "{}\n", text);
  app_.say_of(tab, text, kProblemShown);
}

void ShowsController::show_query(Tab& tab, const ShowOptions& options) {
  const auto query = app_.controllers().sql->named(options.sql, tab.session->path());
  if (!query || tab.panel_named(SqlPanel::kWord) == nullptr) {
    return problem(tab, fmt::format("There is no saved query \"{}\".", options.sql));
  }
  app_.controllers().panels->show(SqlPanel::kWord);
  auto& panel = tab.panel<SqlPanel>();
  panel.set_text(query->text, query->name);
  if (!options.runs_sql && !panel.was_run_before(app_)) return;
  if (const Status begun = panel.run(app_, *tab.session, true); !begun)
    problem(tab, begun.error().text);
}

void ShowsController::show_now(Tab& tab, ShowOptions options) {
  Controllers& controllers = app_.controllers();
  Session& session = *tab.session;
  TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  for (const std::string& text : options.problems) problem(tab, text);
  if (!options.panel.empty()) {
    const Panel* panel = tab.panel_named(options.panel);
    if (panel == nullptr || !panel->available(session)) {
      problem(tab, fmt::format("There is no panel \"{}\" here.", options.panel));
    } else {
      controllers.panels->show(options.panel);
    }
  }
  if (!options.sql.empty()) show_query(tab, options);
  for (const bool pins : {true, false}) {
    const std::vector<TypedThread>& threads = pins ? options.pins : options.only;
    if (threads.empty()) continue;
    const Result<std::vector<TrackId>> tracks = tracks_meant(timeline, threads);
    if (!tracks) {
      problem(tab, tracks.error().text);
      continue;
    }
    for (const TrackId track : *tracks) {
      const std::uint32_t number = index(track);
      if (!pins) state.solo_tracks.insert(number);
      if (pins && std::ranges::find(state.pinned_tracks, number) == state.pinned_tracks.end()) {
        state.pinned_tracks.push_back(number);
      }
    }
  }
  if (options.search) controllers.search->set_text(*options.search);
  if (!options.thread.empty()) {
    const std::size_t slash = options.thread.find('/');
    const std::string tid = options.thread.substr(slash == std::string::npos ? 0 : slash + 1);
    if (const Status gone = controllers.view->go_to_thread(tid); !gone) {
      problem(tab, gone.error().text);
    }
  }
  if (options.view) {
    const Result<TimeRange> view = range_of(app_, *options.view);
    if (!view) problem(tab, view.error().text);
    if (view) {
      const Viewport shown = showing(view->begin_ns, view->end_ns, state.view.width_px);
      controllers.view->show(shown, false, true);
    }
  }
  if (options.range) {
    const Result<TimeRange> range = range_of(app_, *options.range);
    if (!range) problem(tab, range.error().text);
    if (range) state.range = *range;
  }
  Target target{.keeps_view = options.view.has_value(),
                .keeps_place = options.keeps_place,
                .connects_scope = options.connects_scope,
                .connects_search = options.connects_search,
                .if_missing = options.if_missing,
                .title = session.title(),
                .tab = &tab};
  if (options.slice) {
    Result<WantedSlice> wanted = wanted_slice(timeline, *options.slice);
    if (!wanted) {
      if (tab.replaced != nullptr) tab.replaced->lost.push_back(options.slice->name);
      return problem(tab, options.if_missing.empty() ? wanted.error().text : options.if_missing);
    }
    target.wanted = std::move(*wanted);
    target.named = std::move(options.slice);
    look_for(tab, std::move(target));
  } else if (options.select) {
    Result<WantedSlice> wanted =
        wanted_slice(timeline, controllers.view->times(true), *options.select);
    if (!wanted) return problem(tab, wanted.error().text);
    target.wanted = std::move(*wanted);
    look_for(tab, std::move(target));
  }
  app_.draw_again();
}

Status ShowsController::select(const TypedSlice& slice) {
  Tab& tab = *app_.tabs().shown();
  Result<WantedSlice> wanted =
      wanted_slice(tab.session->timeline(), app_.controllers().view->times(true), slice);
  if (!wanted) return wanted.error();
  look_for(tab, {.wanted = std::move(*wanted), .tab = &tab});
  return ok();
}

void ShowsController::look_for(Tab& tab, Target target) {
  target.generation = tab.session->generation();
  found_.ask({++looks_, tab.session->version()},
             [slices = tab.session->slices(), wanted = target.wanted](const auto& /*question*/) {
               return find_slice(*slices, wanted);
             });
  target_ = std::move(target);
}

void ShowsController::take_found() {
  if (!target_ || !found_.is_whole()) return;
  const Target target = std::move(*target_);
  target_.reset();
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr || tab != target.tab || tab->session->generation() != target.generation) {
    return;
  }
  if (found_.answer() == nullptr) return problem(*tab, "There is not enough memory to find it.");
  if (!*found_.answer()) {
    if (tab->replaced != nullptr && target.named) tab->replaced->lost.push_back(target.named->name);
    return problem(*tab,
                   target.if_missing.empty() ? found_.answer()->error().text : target.if_missing);
  }
  SliceRef slice = **found_.answer();
  Session& session = *tab->session;
  if (target.named) slice = settled_slice(session.timeline(), *target.named, slice);
  if (block_of(session.timeline(), slice) == nullptr) return;
  ViewController& view = *app_.controllers().view;
  if (target.keeps_place) {
    view.select(slice, false);
    // There is a selected call.
    if (target.connects_scope) static_cast<void>(tab->scope.choose("connected", session.state()));
    if (target.connects_search) {
      static_cast<void>(tab->search.set_scope(ScopeChoice::connected, session.state()));
    }
    return;
  }
  const Slice found = slice_at(session.timeline(), slice);
  if (!target.keeps_view) view.zoom_to_call(found.begin_ns, found.end_ns());
  const Viewport kept = session.state().view;
  view.select(slice, true);
  if (target.keeps_view) view.show(kept, false, false);
  tab->revealed = slice;
  app_.draw_again();
}

namespace {

Status select_call(AppContext& app, const CommandArguments& arguments) {
  const Result<TypedSlice> slice = typed_slice(arguments.text());
  if (!slice) return slice.error();
  return app.controllers().shows->select(*slice);
}

constexpr Command kShowsCommands[] = {
    {"select-call", "TEXT", "", "Select a call: [THREAD/]NAME[@TIME|#K|#longest|#median|#last]",
     CommandGroup::selection, CommandNeeds::single_trace, select_call},
};

}  // namespace

std::span<const Command> show_commands() {
  return kShowsCommands;
}

}  // namespace cinderscope
