#include "app/window/sessions/sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
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
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/format/format.h"
#include "ingest/os/atomic_file.h"
#include "ingest/search/typed_thread.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

bool is_ready(const auto& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

bool is_there(const LocatedTrace& located) {
  return !located.path.empty() && located.location != Location::missing &&
         located.location != Location::another;
}

// It shows what its session said, or no session made it.
bool is_put_back(const Tab& tab) {
  return tab.missing == nullptr && (tab.of_session == nullptr || tab.of_session->restored);
}

// It is one of the session's tabs when that is saved.
bool is_kept(const Tab& tab) {
  if (!is_put_back(tab)) return tab.of_session != nullptr;
  return tab.session->phase() != SessionPhase::failed;
}

std::optional<TraceFacts> facts_of(const Session& session) {
  if (session.loading() || !session.has_trace() || session.format() == nullptr) return std::nullopt;
  const Timeline& timeline = session.timeline();
  return TraceFacts{.format = std::string(session.format()->name()),
                    .slices = timeline.slice_count,
                    .begin_ns = timeline.begin_ns,
                    .end_ns = timeline.end_ns};
}

void shift(SessionTab& tab, std::int64_t by_ns) {
  for (std::optional<TimeRange>* range : {&tab.view.view, &tab.view.range}) {
    if (!*range) continue;
    (*range)->begin_ns = saturating_sum((*range)->begin_ns, by_ns);
    (*range)->end_ns = saturating_sum((*range)->end_ns, by_ns);
  }
  if (tab.selected) tab.selected->begin_ns = saturating_sum(tab.selected->begin_ns, by_ns);
}

ComparedPart part_of(const std::optional<SavedScope>& scope) {
  ComparedPart part;
  if (!scope) return part;
  if (scope->range) {
    if (auto from = typed_time(fmt::to_string(scope->range->begin_ns))) part.from = *from;
    if (auto to = typed_time(fmt::to_string(scope->range->end_ns))) part.to = *to;
  }
  for (const TrackName& name : scope->threads) {
    const std::string text =
        name.kind == TrackKind::thread ? fmt::format("{}/{}", name.pid, name.tid) : name.name;
    if (auto thread = typed_thread(text)) part.threads.push_back(std::move(*thread));
  }
  part.slices = slices_of_word(scope->slices);
  return part;
}

std::optional<SavedScope> scope_of(const Session& session, const ComparedPart& part) {
  if (!part.from && !part.to && part.threads.empty() && !part.slices) return std::nullopt;
  const Result<StatisticsQuery> query = query_of(session.timeline(), part);
  if (!query) return std::nullopt;
  SavedScope saved;
  if (query->scope.has_range()) {
    saved.range = TimeRange{query->scope.begin_ns, query->scope.end_ns};
  }
  if (!part.threads.empty()) {
    std::vector<std::uint32_t> tracks;
    for (const TrackId track : query->scope.tracks) tracks.push_back(index(track));
    saved.threads = track_names(session.timeline(), tracks);
  }
  saved.slices = part.slices ? word_of(*part.slices) : "";
  return saved;
}

}  // namespace

void SessionsController::open(const std::string& path) {
  const std::string absolute = absolute_path(path);
  if (!app_.tabs().all.empty() || session_ || reading_.valid()) {
    auto window = ChildProcess::start(
        {.program = kOwnProgram, .arguments = {"cinderscope", "--new-window", absolute}});
    if (!window) return app_.say(window.error().text);
    windows_.push_back(std::move(*window));
    app_.say(fmt::format("{} opens in a window of its own", drawable(shown_file_name(path))));
    return;
  }
  std::vector<std::string> recent;
  for (const RecentFile& file : app_.settings().recent) recent.push_back(file.path);
  reading_ = in_background([absolute, recent, look_in = look_in_] {
    const auto status = file_status(absolute);
    Read read{.path = absolute, .file = SessionFile(), .status = status};
    const Result<std::string> text = read_small_file(absolute, kLargestSession);
    if (text && text->empty()) {
      read.file = Error{.code = ErrorCode::cannot_read,
                        .text = "The session is empty, or is not there.",
                        .expected = {}};
    } else if (text) {
      read.file = session_from(*text);
    } else {
      read.file = text.error();
    }
    if (read.file) {
      read.located = locate_traces({.session_path = absolute,
                                    .traces = read.file->traces,
                                    .look_in = look_in,
                                    .recent = recent});
    }
    Window::wake();
    return read;
  });
  app_.draw_again();
}

void SessionsController::take_read() {
  if (!is_ready(reading_)) return;
  Read read = reading_.get();
  if (!read.file) {
    // A tab of its own says what is wrong with it.
    TabsController& tabs = *app_.controllers().tabs;
    tabs.add(
        read.path,
        [error = read.file.error()](LoadContext&) -> Result<OpenedSource> { return error; },
        tabs.asked_now());
    return;
  }
  make_tabs(std::move(read));
}

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
                                drawable(trace->facts->format));
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

bool SessionsController::busy() const {
  if (reading_.valid() || writing_.valid() || locating_.valid() || arranging_) return true;
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || tab->of_session == nullptr || tab->missing != nullptr) return false;
  return !tab->of_session->scrolled && (tab->session->loading() || tab->session->has_trace());
}

void SessionsController::poll() {
  take_read();
  take_written();
  arrange();
  if (is_ready(locating_)) {
    const std::vector<LocatedTrace> again = locating_.get();
    for (std::size_t i = 0; session_ && i < again.size() && i < session_->located.size(); ++i) {
      if (!is_there(session_->located[i]) && is_there(again[i])) session_->located[i] = again[i];
    }
    if (session_) {
      for (const auto& tab : app_.tabs().all) {
        if (tab->missing == nullptr || tab->of_session == nullptr) continue;
        const auto& traces = tab->of_session->saved.traces;
        const SessionTrace* trace =
            traces.empty() ? nullptr : session_->file.trace(traces.front().trace);
        const auto at = static_cast<std::size_t>(trace - session_->file.traces.data());
        if (trace != nullptr && at < again.size() && is_there(again[at])) {
          app_.controllers().missing->open_found(*tab, again[at].path);
        }
      }
      for (const auto& [saved, place] : std::exchange(unopened_, {})) make_tab(saved, place);
    }
  }
  if (!session_) return;
  bool whole = !arranging_ && !writing_.valid();
  for (const auto& tab : app_.tabs().all) {
    if (tab->of_session == nullptr) continue;
    restore(*tab);
    // Where another recording took a trace's place without a session there is nothing more to do.
    if (session_->path.empty() && tab->of_session->scrolled) tab->of_session.reset();
    if (tab->of_session == nullptr) continue;
    whole &= tab->of_session->restored || tab->missing != nullptr ||
             tab->session->phase() == SessionPhase::failed;
  }
  if (!whole) return;
  const std::uint64_t key = key_now();
  if (session_->saved_key == 0 && !session_->path.empty()) session_->saved_key = key;
  if (std::exchange(session_->key, key) != key) app_.draw_again(1);
}

std::uint64_t SessionsController::key_now() const {
  std::string text = session_->file.title + '\n' + session_->file.note + '\n';
  for (const auto& tab : app_.tabs().all) {
    if (tab->comparison == nullptr) {
      fmt::format_to(std::back_inserter(text), "{};", change_key(*tab));
      continue;
    }
    const SavedComparison of = comparison_state(*tab->comparison);
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {};", of.measure, of.scale, of.per,
                   of.names, of.min.value_or(-1), of.renames.size());
    for (const Side side : {kSideA, kSideB}) {
      for (const std::string& path : tab->comparison->answers.sources()[side].paths) text += path;
    }
  }
  return std::max<std::uint64_t>(std::hash<std::string>()(text), 1);
}

bool SessionsController::unsaved() const {
  return session_ && !session_->path.empty() && session_->saved_key != 0 && session_->key != 0 &&
         session_->key != session_->saved_key;
}

std::string SessionsController::trace_id(SessionFile& file, std::vector<std::string>& paths,
                                         const Tab& tab, const std::string& path) {
  const std::string absolute = absolute_path(path);
  const auto known = std::ranges::find(paths, absolute);
  std::size_t at = static_cast<std::size_t>(known - paths.begin());
  if (known == paths.end()) {
    std::size_t number = 1;
    while (file.trace(fmt::format("t{}", number)) != nullptr) ++number;
    file.traces.push_back({.id = fmt::format("t{}", number), .path = absolute});
    paths.push_back(absolute);
    at = paths.size() - 1;
  }
  SessionTrace& trace = file.traces[at];
  if (absolute_path(tab.session->path()) == absolute) {
    if (auto facts = facts_of(*tab.session)) trace.facts = std::move(facts);
    const LoadOptions& load = tab.session->load_options();
    trace.keep = load.keep;
    trace.ids = load.names.mapping_path;
  }
  return trace.id;
}

// `paths`: of its traces, absolute; empty: it was not found.
Result<SessionFile> SessionsController::captured(std::vector<std::string>& paths) {
  SessionFile file;
  if (session_) {
    file = session_->file;
    for (std::size_t i = 0; i < file.traces.size(); ++i) {
      const bool there = i < session_->located.size() && is_there(session_->located[i]);
      paths.push_back(there ? session_->located[i].path : std::string());
    }
  }
  file.tabs.clear();
  file.active = 0;
  const TabList& tabs = app_.tabs();
  for (std::size_t i = 0; i < tabs.all.size(); ++i) {
    const Tab& tab = *tabs.all[i];
    if (i == tabs.shown_index) file.active = file.tabs.size();
    if (!is_kept(tab)) continue;
    if (!is_put_back(tab)) {
      file.tabs.push_back(tab.of_session->saved);
      continue;
    }
    SessionTab saved;
    if (tab.comparison != nullptr) {
      saved.kind = TabKind::comparison;
      saved.comparison = comparison_state(*tab.comparison);
      for (const Side side : {kSideA, kSideB}) {
        const CompareSource& source = tab.comparison->answers.sources()[side];
        std::vector<TabTrace>& list = side == kSideA ? saved.comparison.a : saved.comparison.b;
        for (const std::string& path : source.paths) {
          list.push_back({.trace = trace_id(file, paths, tab, path)});
        }
        if (!list.empty()) {
          list.front().scope = scope_of(tab.comparison->session(side), source.part);
        }
      }
    } else {
      if (tab.session->path() == "-") {
        return refused("Standard input cannot be in a session: save it as a file first.");
      }
      saved = tab_state(app_, tab);
      // A view that nobody moved is what was read, to the nanosecond.
      const SessionPart* part = tab.of_session.get();
      if (part != nullptr && part->restored_view == tab.session->state().view) {
        saved.view.view = part->saved.view.view;
      }
      for (const MergeFile& each : tab.merged_files) {
        TabTrace& of = saved.traces.emplace_back();
        of.trace = trace_id(file, paths, tab, each.path);
        of.offset = each.offset.how == Alignment::starts      ? "start"
                    : each.offset.how == Alignment::by_offset ? fmt::to_string(each.offset.ns)
                                                              : "same";
      }
      if (tab.merged_files.empty()) {
        saved.traces.push_back({.trace = trace_id(file, paths, tab, tab.session->path())});
      }
    }
    saved.origin = tab.session_origin;
    if (tab.of_session != nullptr) saved.not_understood = tab.of_session->saved.not_understood;
    file.tabs.push_back(std::move(saved));
  }
  for (const auto& [saved, place] : unopened_) file.tabs.push_back(saved);
  return file;
}

Status SessionsController::save(const std::string& path, bool force) {
  if (writing_.valid()) return refused("The session is being saved.");
  const std::string target = path.empty() && session_ ? session_->path : absolute_path(path);
  if (target.empty()) return refused("Say where the session is to be saved.");
  const bool is_own = session_ && session_->path == target;
  std::error_code ignored;
  if (!is_own && !force && std::filesystem::exists(target, ignored)) {
    return refused(fmt::format("{} is there already; with force behind it, it is replaced.",
                               drawable(target)));
  }
  std::vector<std::string> paths;
  Result<SessionFile> file = captured(paths);
  if (!file) return file.error();
  const std::optional<FileStatus> known = is_own && !force ? session_->status : std::nullopt;
  writing_ = in_background([file = std::move(*file), paths, target, known]() mutable {
    Written written{.done = ok(), .path = target};
    const auto status = file_status(target);
    if (known && status &&
        (status->modified_ns != known->modified_ns || status->size_bytes != known->size_bytes)) {
      written.changed_meanwhile = true;
      Window::wake();
      return written;
    }
    const std::string folder = std::filesystem::path(target).parent_path().string();
    for (std::size_t i = 0; i < file.traces.size(); ++i) {
      SessionTrace& trace = file.traces[i];
      if (paths[i].empty()) continue;
      if (const auto identity = trace_identity(paths[i])) trace.identity = *identity;
      trace.path = path_in_session(target, paths[i]);
      if (!trace.ids.empty()) {
        trace.ids = path_in_session(
            target, (std::filesystem::path(folder) / trace.ids).lexically_normal().string());
      }
    }
    const std::string text = session_text(file);
    written.done = replace_file(target, text);
    written.status = file_status(target);
    if (auto again = session_from(text)) {
      written.original = again->original;
      for (const SessionTab& tab : again->tabs) written.origins.push_back(tab.origin);
    }
    written.traces = std::move(file.traces);
    Window::wake();
    return written;
  });
  const std::uint64_t key = session_ ? key_now() : 0;
  if (!session_) session_.emplace();
  session_->key = key == 0 ? key_now() : key;
  seen_ = session_->key;
  return ok();
}

void SessionsController::take_written() {
  if (!is_ready(writing_)) return;
  Written written = writing_.get();
  app_.draw_again();
  if (written.changed_meanwhile) {
    asks_replace_ = true;
    return;
  }
  if (!written.done) {
    quits_then_ = false;
    if (session_ && session_->path.empty()) session_.reset();
    return app_.say(written.done.error().text, std::chrono::seconds(8));
  }
  asks_replace_ = asking_ = false;
  session_->path = written.path;
  session_->status = written.status;
  session_->saved_key = seen_;
  app_.controllers().store->add_recent(written.path,
                                       written.status ? written.status->size_bytes : 0);
  session_->file.original = written.original;
  std::vector<LocatedTrace> located(written.traces.size());
  for (std::size_t i = 0; i < located.size(); ++i) {
    const std::filesystem::path path =
        std::filesystem::path(written.path).parent_path() / written.traces[i].path;
    const bool known = i < session_->located.size() && !is_there(session_->located[i]);
    located[i] =
        known ? session_->located[i]
              : LocatedTrace{.location = Location::found, .path = path.lexically_normal().string()};
  }
  session_->file.traces = std::move(written.traces);
  session_->located = std::move(located);
  std::size_t number = 0;
  for (const auto& tab : app_.tabs().all) {
    if (!is_kept(*tab)) continue;
    if (number < written.origins.size()) tab->session_origin = written.origins[number];
    ++number;
  }
  app_.say(fmt::format("saved as {}", drawable(written.path)));
  if (std::exchange(quits_then_, false)) app_.quit();
}

}  // namespace cinderscope
