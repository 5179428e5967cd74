#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "formats/all_formats.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/format/format.h"
#include "ingest/os/atomic_file.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// A session names formats as they are registered; one that this program lacks stays as it is.
std::string format_text(const std::string& name) {
  const Format* format = format_named(name);
  return format == nullptr ? name : std::string(format->description());
}

void shift(SessionTab& tab, std::int64_t by_ns) {
  for (std::optional<TimeRange>* range : {&tab.view.view, &tab.view.range}) {
    if (!*range) continue;
    (*range)->begin_ns = saturating_sum((*range)->begin_ns, by_ns);
    (*range)->end_ns = saturating_sum((*range)->end_ns, by_ns);
  }
  if (tab.selected) tab.selected->begin_ns = saturating_sum(tab.selected->begin_ns, by_ns);
}

}  // namespace

void SessionsController::make_tabs(Read read) {
  session_ = OpenSession{.path = read.path,
                         .file = std::move(*read.file),
                         .located = std::move(read.located),
                         .status = read.status};
  app_.controllers().store->add_recent(session_->path, read.status ? read.status->size_bytes : 0);
  unopened_.clear();
  const SessionFile& file = session_->file;
  const std::vector<SessionTab> tabs = file.tabs;
  const std::size_t active = std::min(file.active, tabs.empty() ? 0 : tabs.size() - 1);
  // What is shown is read first; comparisons are of traces that are open.
  if (!tabs.empty() && tabs[active].kind != TabKind::comparison) make_tab(tabs[active], active);
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

void SessionsController::make_tab(const SessionTab& saved, std::size_t place) {
  const SessionFile& file = session_->file;
  TabsController& tabs = *app_.controllers().tabs;
  const auto located = [&](const TabTrace& of) -> const LocatedTrace* {
    const SessionTrace* trace = file.trace(of.trace);
    const auto at = static_cast<std::size_t>(trace - file.traces.data());
    return trace == nullptr || at >= session_->located.size() ? nullptr : &session_->located[at];
  };
  const auto add_part = [&](Tab& tab) -> SessionPart& {
    tab.session_origin = saved.origin;
    tab.of_session = std::make_unique<SessionPart>();
    tab.of_session->saved = saved;
    tab.of_session->place = place;
    return *tab.of_session;
  };
  if (saved.kind == TabKind::comparison) {
    OfSides<SideText> sides;
    for (const Side side : {kSideA, kSideB}) {
      for (const TabTrace& of : side == kSideA ? saved.comparison.a : saved.comparison.b) {
        const LocatedTrace* trace = located(of);
        if (trace == nullptr || !is_there(*trace)) continue;
        if (sides[side].paths.empty()) sides[side].part = part_of(of.scope);
        sides[side].paths.push_back(trace->path);
      }
    }
    if (sides[kSideA].paths.empty() || sides[kSideB].paths.empty()) {
      unopened_.emplace_back(saved, place);
      return;
    }
    ++comparisons_due_;
    app_.controllers().compare->start(std::move(sides[kSideA]), std::move(sides[kSideB]),
                                      [this, saved, place](Tab* tab) {
                                        --comparisons_due_;
                                        arranging_ = true;
                                        if (tab == nullptr) return;
                                        tab->session_origin = saved.origin;
                                        tab->of_session = std::make_unique<SessionPart>();
                                        tab->of_session->saved = saved;
                                        tab->of_session->place = place;
                                        restore_comparison(saved.comparison, *tab->comparison);
                                      });
    return;
  }
  if (saved.kind == TabKind::merged) {
    std::vector<MergeFile> files;
    std::string missing;
    for (const TabTrace& of : saved.traces) {
      const LocatedTrace* trace = located(of);
      if (trace != nullptr && is_there(*trace)) {
        files.push_back({trace->path, merge_offset_from(of.offset).value_or(MergeOffset{})});
      } else if (const SessionTrace* known = file.trace(of.trace)) {
        missing += (missing.empty() ? "" : ", ") + shown_file_name(known->path);
      }
    }
    if (files.empty()) {
      unopened_.emplace_back(saved, place);
      return;
    }
    app_.controllers().merge->add_tab(files);
    Tab& tab = *app_.tabs().all.back();
    add_part(tab);
    if (!missing.empty()) {
      app_.say_of(tab, fmt::format("not found: {}", drawable(missing)), std::chrono::seconds(12));
    }
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
      missing.was = fmt::format("{} slices, {}", count_text(trace->facts->slices),
                                drawable(format_text(trace->facts->format)));
    }
    add_part(app_.controllers().missing->ask_where(std::move(missing)));
    return;
  }
  Tab& tab = tabs.add(
      at->path, [path = at->path](LoadContext& context) { return open_source(path, context); },
      tabs.asked_now());
  add_part(tab).may_be_another = at->location == Location::packed;
  const std::string folder = std::filesystem::path(session_->path).parent_path().string();
  if (!trace->keep.is_all() || !trace->ids.empty()) {
    LoadOptions load = tab.session->load_options();
    load.keep = trace->keep;
    if (!trace->ids.empty()) {
      load.names.mapping_path = (std::filesystem::path(folder) / trace->ids).string();
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
  TabList& tabs = app_.tabs();
  std::ranges::stable_sort(tabs.all, {}, [](const auto& tab) {
    return tab->of_session == nullptr ? SIZE_MAX : tab->of_session->place;
  });
  for (std::size_t i = 0; i < tabs.all.size(); ++i) {
    const SessionPart* part = tabs.all[i]->of_session.get();
    if (part != nullptr && part->place == session_->file.active) {
      app_.controllers().tabs->show(i);
      const SessionTab& saved = part->saved;
      if (saved.kind != TabKind::comparison && tabs.all[i]->panel_named(saved.panel) != nullptr) {
        app_.controllers().panels->show(saved.panel);
        if (!saved.panel_shown) app_.controllers().panels->toggle();
      }
    }
  }
  session_->saved_key = 0;  // known once everything is put back
}

void SessionsController::restore(Tab& tab) {
  SessionPart& part = *tab.of_session;
  Session& session = *tab.session;
  if (tab.comparison != nullptr) {
    if (!part.restored) part.restored = restore_line_up(part.saved.comparison, *tab.comparison);
    part.scrolled = true;
    return;
  }
  if (tab.missing != nullptr || session.phase() == SessionPhase::failed) return;
  if (!session.has_trace()) return;
  if (part.shift_from_ns) {
    if (session.loading()) return;
    shift(part.saved, saturating_difference(session.timeline().begin_ns,
                                            *std::exchange(part.shift_from_ns, std::nullopt)));
  }
  if (!part.at_once) {
    part.at_once = true;
    restore_at_once(part.saved, tab);
  }
  if (session.loading() || session.renaming()) return;
  if (!part.restored) {
    part.restored = true;
    restore_tab(app_, part.saved, tab);
    part.restored_view = session.state().view;
    const SessionTrace* trace =
        part.saved.traces.empty() ? nullptr : session_->file.trace(part.saved.traces.front().trace);
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
