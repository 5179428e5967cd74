#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "app/session_file/session_inputs.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "formats/all_formats.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/format/format.h"
#include "ingest/os/atomic_file.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// Of more traces those are read whose tabs are shown.
constexpr std::ptrdiff_t kMostReadUnseen = 16;

// A session names formats as they are registered; one that this program lacks stays as it is.
std::string format_text(const std::string& name) {
  const Format* format = format_named(name);
  return format == nullptr ? name : std::string(format->description());
}

// Somebody wanted absolute paths: others would do.
bool names_absolute(const SessionFile& file, const std::string& path) {
  return std::ranges::any_of(file.traces, [&path](const SessionTrace& trace) {
    return is_absolute_path(trace.path) && path_in_session(path, trace.path) != trace.path;
  });
}

void add_name(const SessionTrace* trace, std::string& names) {
  if (trace != nullptr) names += (names.empty() ? "" : ", ") + shown_file_name(trace->path);
}

void say_missing(AppContext& app, Tab& tab, const std::string& names) {
  if (names.empty()) return;
  app.say_of(tab, fmt::format("not found: {}", drawable(names)), std::chrono::seconds(12));
}

// The tab is made to show that.
SessionPart& part_of_tab(Tab& tab, const SessionTab& saved, std::size_t place) {
  tab.session_origin = saved.origin;
  tab.of_session = std::make_unique<SessionPart>();
  tab.of_session->saved = saved;
  tab.of_session->place = place;
  return *tab.of_session;
}

}  // namespace

void SessionsController::make_tabs(Read read) {
  SessionFile& file_read = read.session->file;
  const bool absolute = absolute_ || names_absolute(file_read, read.path);
  session_ = OpenSession{.path = read.path,
                         .text_path = read.session->text_path,
                         .file = std::move(file_read),
                         .located = std::move(read.located),
                         .status = read.status,
                         .problems = std::move(read.session->problems),
                         .absolute = absolute,
                         .read_only = read.open_elsewhere};
  app_.controllers().store->add_recent(session_->path, read.status ? read.status->size_bytes : 0);
  unopened_.clear();
  const SessionFile& file = session_->file;
  app_.controllers().sql->add_of_session(file.queries);
  std::vector<SessionTab> tabs = file.tabs;
  // Tabs may be left out of a session: then its traces are what is shown.
  for (std::size_t i = 0; file.tabs.empty() && i < file.traces.size(); ++i) {
    tabs.emplace_back().traces.push_back({.trace = file.traces[i].id});
  }
  const std::size_t active = std::min(file.active, tabs.empty() ? 0 : tabs.size() - 1);
  // What is shown is read first; comparisons are of traces that are open.
  if (!tabs.empty() && tabs[active].kind != TabKind::comparison) {
    make_tab(tabs[active], active);
    if (!app_.tabs().all.empty()) {
      app_.tabs().all.back()->session->begin();
      app_.tabs().all.back()->asked = asked_;
    }
  }
  for (const bool comparisons : {false, true}) {
    for (std::size_t i = 0; i < tabs.size(); ++i) {
      const bool is_comparison = tabs[i].kind == TabKind::comparison;
      if (is_comparison == comparisons && (i != active || is_comparison)) make_tab(tabs[i], i);
    }
  }
  if (tabs.empty()) app_.say("The session has no traces.", std::chrono::seconds(8));
  arranging_ = true;
  app_.draw_again();
}

const LocatedTrace* SessionsController::located(const TabTrace& of) const {
  const SessionTrace* trace = session_->file.trace(of.trace);
  if (trace == nullptr) return nullptr;
  const auto at = static_cast<std::size_t>(trace - session_->file.traces.data());
  return at < session_->located.size() ? &session_->located[at] : nullptr;
}

void SessionsController::make_comparison(const SessionTab& saved, std::size_t place) {
  OfSides<SideText> sides;
  // By path, of which a saved side has many runs: all of them, or these.
  OfSides<std::map<std::string, TabTrace>> left_out;
  std::string missing;
  for (const Side side : {side_a, side_b}) {
    for (const TabTrace& of : side == side_a ? saved.comparison.a : saved.comparison.b) {
      const LocatedTrace* trace = located(of);
      if (trace == nullptr || !is_there(*trace)) {
        add_name(session_->file.trace(of.trace), missing);
        continue;
      }
      if (sides[side].paths.empty()) sides[side].part = part_of(of.scope);
      sides[side].paths.push_back(trace->path);
      if (of.left_out || !of.left_out_runs.empty()) left_out[side].emplace(trace->path, of);
    }
  }
  if (sides[side_a].paths.empty() || sides[side_b].paths.empty()) {
    unopened_.emplace_back(saved, place);
    return;
  }
  ++comparisons_due_;
  const auto opened = [this, saved, place, left_out, missing](Tab* tab) {
    --comparisons_due_;
    arranging_ = true;
    if (tab == nullptr) {
      if (session_) unopened_.emplace_back(saved, place);
      return;
    }
    part_of_tab(*tab, saved, place);
    restore_comparison(saved.comparison, *tab->comparison);
    for (const Side side : {side_a, side_b}) {
      CompareSource& source = tab->comparison->answers.sources()[side];
      std::map<std::string, std::size_t> met;  // runs of each path
      for (CompareRun& run : source.runs) {
        const std::size_t at = met[run.path]++;
        const auto out = left_out[side].find(run.path);
        run.left_out = out != left_out[side].end() &&
                       (out->second.left_out || std::ranges::find(out->second.left_out_runs, at) !=
                                                    out->second.left_out_runs.end());
      }
    }
    say_missing(app_, *tab, missing);
  };
  app_.controllers().compare->start(std::move(sides[side_a]), std::move(sides[side_b]), opened);
}

void SessionsController::make_tab(const SessionTab& saved, std::size_t place) {
  const SessionFile& file = session_->file;
  TabsController& tabs = *app_.controllers().tabs;
  const auto add_part = [&](Tab& tab) -> SessionPart& { return part_of_tab(tab, saved, place); };
  if (saved.kind == TabKind::comparison) return make_comparison(saved, place);
  if (saved.kind == TabKind::merged) {
    std::vector<MergeFile> files;
    std::string missing;
    for (const TabTrace& of : saved.traces) {
      const LocatedTrace* trace = located(of);
      if (trace != nullptr && is_there(*trace)) {
        files.push_back({trace->path, merge_offset_from(of.offset).value_or(MergeOffset{})});
      } else {
        add_name(file.trace(of.trace), missing);
      }
    }
    if (files.empty()) {
      unopened_.emplace_back(saved, place);
      return;
    }
    app_.controllers().merge->add_tab(files, true);
    Tab& tab = *app_.tabs().all.back();
    add_part(tab);
    say_missing(app_, tab, missing);
    return;
  }
  if (saved.traces.empty()) return;
  const SessionTrace* trace = file.trace(saved.traces.front().trace);
  const LocatedTrace* at = located(saved.traces.front());
  if (trace == nullptr || at == nullptr) return;
  if (!is_there(*at)) {
    MissingTrace missing{.name = shown_file_name(trace->path),
                         .size_bytes = trace->identity.size_bytes,
                         .found = at->path,
                         .found_bytes = at->found_bytes,
                         .of_session = true};
    if (trace->facts) {
      missing.began_ns = trace->facts->begin_ns;
      missing.was = fmt::format("{} slices, {}", count_text(trace->facts->slices),
                                drawable(format_text(trace->facts->format)));
    }
    add_part(app_.controllers().missing->ask_where(std::move(missing)));
    return;
  }
  Tab& tab = tabs.add(
      at->path, [path = at->path](LoadContext& context) { return open_source(path, context); },
      tabs.asked_now(), true);
  add_part(tab).may_be_another = at->location == Location::packed;
  const std::string folder = utf8_of(path_of(session_->text_path).parent_path());
  const std::string weight = saved.flame_graph.own_weight();
  if (!trace->keep.is_all() || !trace->ids.empty() || !weight.empty()) {
    LoadOptions load = tab.session->load_options();
    load.keep = trace->keep;
    load.weight = weight;
    if (!trace->ids.empty()) {
      load.names.mapping_path = utf8_of(path_of(folder) / path_of(trace->ids));
    }
    tab.session->reload_with(std::move(load));
  }
  if (at->location == Location::grown) {
    app_.say_of(tab, "The trace has grown since the session was saved.", std::chrono::seconds(8));
  }
}

// As they stand in the session, once all are there.
void SessionsController::arrange() {
  if (!arranging_ || comparisons_due_ > 0) return;
  arranging_ = false;
  if (!session_) return;  // it was closed meanwhile
  TabList& tabs = app_.tabs();
  std::ranges::stable_sort(tabs.all, {}, [](const auto& tab) {
    return tab->of_session == nullptr ? SIZE_MAX : tab->of_session->place;
  });
  for (std::size_t i = 0; i < tabs.all.size(); ++i) {
    const SessionPart* part = tabs.all[i]->of_session.get();
    if (part != nullptr && part->place == session_->file.active) {
      app_.controllers().tabs->show(i);
      restore_panels(part->saved);
    }
  }
  session_->saved_key = 0;  // known once everything is put back
}

// All tabs of traces share one panel, and so do all comparisons.
void SessionsController::restore_panels(const SessionTab& active) {
  PanelsController& panels = *app_.controllers().panels;
  if (panels.open() != active.panel_shown) panels.toggle();
  if (active.panel_px > 0) panels.restore_height(static_cast<float>(active.panel_px));
  for (const bool compared : {false, true}) {
    for (const auto& tab : app_.tabs().all) {
      const bool is_kind = tab->of_session != nullptr && (tab->comparison != nullptr) == compared;
      if (!is_kind || tab->panel_named(tab->of_session->saved.panel) == nullptr) continue;
      panels.restore(tab->of_session->saved.panel, compared);
      break;
    }
  }
  const bool compared = active.kind == TabKind::comparison;
  const Tab* page = app_.tabs().page();
  if (page->panel_named(active.panel) != nullptr) panels.restore(active.panel, compared);
}

// What is shown is read at once, others one after the other while there are few.
void SessionsController::begin_loads() {
  if (arranging_) return;
  if (Tab* page = app_.tabs().page()) {
    if (page->session->held()) page->asked = std::chrono::steady_clock::now();
    page->session->begin();
    if (page->comparison != nullptr) page->comparison->session(side_b).begin();
  }
  const auto& all = app_.tabs().all;
  const auto held = std::ranges::find_if(
      all, [](const auto& tab) { return !is_lane(*tab) && tab->session->held(); });
  if (held == all.end() || app_.controllers().tabs->loading()) return;
  const auto read = std::ranges::count_if(
      all, [](const auto& tab) { return !is_lane(*tab) && !tab->session->held(); });
  if (read < kMostReadUnseen) (*held)->session->begin();
}

// The tabs of both traces show what they did.
bool SessionsController::sides_are_back(const Tab& tab) const {
  return std::ranges::all_of(app_.tabs().all, [&](const auto& each) {
    if (each->of_session == nullptr || each->comparison != nullptr) return true;
    return !tab.comparison->shows(*each->session) || each->of_session->restored ||
           each->session->phase() == SessionPhase::failed;
  });
}

void SessionsController::restore(Tab& tab) {
  SessionPart& part = *tab.of_session;
  Session& session = *tab.session;
  if (tab.session->held()) return;
  if (tab.comparison != nullptr) {
    if (tab.comparison->held() || !sides_are_back(tab)) return;
    if (!std::exchange(part.scrolled, true)) tab.comparison->show_as_tabs();
    // What may be run again is known once the history is there.
    if (part.restored || app_.controllers().sql->busy()) return;
    part.restored = restore_line_up(part.saved.comparison, *tab.comparison);
    if (part.restored && part.saved.sql != SavedSql()) restore_sql(app_, part.saved.sql, tab);
    return;
  }
  if (tab.missing != nullptr || session.phase() == SessionPhase::failed) return;
  if (!session.has_trace()) return;
  if (part.shift_from_ns) {
    if (session.loading()) return;
    move_inside(part.saved, *std::exchange(part.shift_from_ns, std::nullopt), session.timeline());
  }
  if (!part.at_once) {
    part.at_once = true;
    restore_at_once(part.saved, tab);
  }
  // What may be run again is known once the history is there.
  if (session.loading() || session.renaming() || app_.controllers().sql->busy()) return;
  if (!part.restored) {
    part.restored = true;
    restore_tab(app_, part.saved, tab);
    end_replacing(tab, part.saved);
    part.restored_view = session.state().view;
    const SessionTrace* trace = part.saved.traces.empty() || !session_
                                    ? nullptr
                                    : session_->file.trace(part.saved.traces.front().trace);
    if (part.may_be_another && trace != nullptr) {
      const bool same = trace->facts == facts_of(session);
      app_.say_of(tab,
                  same ? "The same recording, packed differently."
                       : "This is another recording than the session's, packed differently.",
                  std::chrono::seconds(12));
    }
  }
  // Rows have places only once they were drawn.
  if (part.scrolled || &tab != app_.tabs().page()) return;
  app_.draw_again();
  if (part.frames_to_scroll > 0) {
    --part.frames_to_scroll;
  } else {
    restore_scroll(part.saved, tab);
    part.scrolled = true;
  }
}

}  // namespace cinderscope
