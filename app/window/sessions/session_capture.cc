// What of the window is saved as its session.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

// Traces that no tab names any more.
void leave_out_unused(SessionFile& file, std::vector<std::string>& paths) {
  std::set<std::string> used;
  for (const SessionTab& tab : file.tabs) {
    for (const auto* list : {&tab.traces, &tab.comparison.a, &tab.comparison.b}) {
      for (const TabTrace& of : *list) used.insert(of.trace);
    }
  }
  for (std::size_t i = file.traces.size(); i-- > 0;) {
    if (used.contains(file.traces[i].id)) continue;
    file.traces.erase(file.traces.begin() + static_cast<std::ptrdiff_t>(i));
    paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// Of the runs of one path: how many there were, and where the list has it.
struct SavedRuns {
  std::size_t count = 0, entry = 0;
};

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

bool is_put_back(const Tab& tab) {
  return tab.missing == nullptr && (tab.of_session == nullptr || tab.of_session->restored);
}

bool is_kept(const Tab& tab) {
  if (!is_put_back(tab)) return tab.of_session != nullptr;
  return tab.session->phase() != SessionPhase::failed;
}

std::uint64_t SessionsController::key_now() const {
  std::string text = session_->file.title + '\n' + session_->file.note + '\n';
  for (const auto& tab : app_.tabs().all) {
    // What was put back counts as unchanged whenever that was.
    const SessionPart* part = tab->of_session.get();
    const std::uint64_t before = part != nullptr ? part->key : 0;
    const std::uint64_t now = is_put_back(*tab) ? change_key(*tab) : before;
    fmt::format_to(std::back_inserter(text), "{};", now - before);
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
    const std::string& ids = load.names.mapping_path;
    trace.ids = ids.empty() ? ids : absolute_path(ids);
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
      SessionTab& kept = file.tabs.emplace_back(tab.of_session->saved);
      if (tab.replaced == nullptr) continue;
      // Another recording is on its way; bookmarks are left behind once it is there.
      kept.view.bookmarks = tab.replaced->bookmarks;
      if (kept.traces.empty() && tab.missing == nullptr) {
        kept.traces.push_back({.trace = trace_id(file, paths, tab, tab.session->path())});
      }
      continue;
    }
    SessionTab saved;
    if (tab.comparison != nullptr) {
      saved.kind = TabKind::comparison;
      saved.panel = app_.controllers().panels->word_of(tab);
      saved.panel_shown = app_.controllers().panels->open();
      saved.comparison = comparison_state(*tab.comparison);
      saved.sql = sql_state(tab);
      for (const Side side : {side_a, side_b}) {
        const CompareSource& source = tab.comparison->answers.sources()[side];
        std::vector<TabTrace>& list = side == side_a ? saved.comparison.a : saved.comparison.b;
        std::map<std::string, SavedRuns> saved_runs;  // by path: one file has many runs
        for (const CompareRun& run : source.runs) {
          SavedRuns& of = saved_runs[run.path];
          if (run.saved == nullptr || of.count == 0) {
            of.entry = list.size();
            list.push_back({.trace = trace_id(file, paths, tab, run.path)});
          }
          if (run.left_out) list[of.entry].left_out_runs.push_back(of.count);
          ++of.count;
        }
        for (const auto& [path, of] : saved_runs) {
          TabTrace& entry = list[of.entry];
          entry.left_out = entry.left_out_runs.size() == of.count;
          if (entry.left_out) entry.left_out_runs.clear();
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
  add_queries(file);
  if (file.left_out == 0) leave_out_unused(file, paths);
  return file;
}

// Those that its tabs name, with those of tracks, which nobody may have saved.
void SessionsController::add_queries(SessionFile& file) const {
  const auto add = [&file](const SavedQuery& query) {
    const auto known = std::ranges::find(file.queries, query.name, &SavedQuery::name);
    if (known == file.queries.end()) {
      file.queries.push_back(query);
    } else {
      known->text = query.text;
    }
  };
  for (const auto& tab : app_.tabs().all) {
    for (const SavedQuery& query : tab->panel<SqlPanel>().tracks().queries()) add(query);
  }
  for (const SessionTab& tab : file.tabs) {
    if (const auto query = app_.controllers().sql->saved(tab.sql.query)) add(*query);
  }
}

Result<PackInput> SessionsController::pack_input() {
  PackInput input;
  Result<SessionFile> file = captured(input.paths);
  if (!file) return file.error();
  input.session = std::move(*file);
  input.text_path = session_ ? session_->text_path : std::string();
  return input;
}

}  // namespace cinderscope
