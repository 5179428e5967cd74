#include "app/window/sql/sql_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/window/app_context.h"
#include "app/window/sql/sql_examples.h"
#include "app/window/window.h"
#include "ingest/sql/statements.h"

namespace cinderscope {

SqlController::SqlController(AppContext& app) : app_(app), worker_([] { Window::wake(); }) {}

// What was saved last is on disk when the program ends.
SqlController::~SqlController() {
  while (worker_.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const Job& job : jobs_) job();
}

void SqlController::keep(const UserFolders& folders) {
  folder_ = queries_folder(folders);
  history_path_ = folders.state.empty() ? std::string() : folders.state + "/sql_history.json";
  refresh();
  if (history_path_.empty()) return;
  add([path = history_path_] {
    News news;
    news.history = read_query_history(path);
    return news;
  });
}

void SqlController::add(Job job) {
  jobs_.push_back(std::move(job));
  start_next();
}

void SqlController::start_next() {
  if (working_ || jobs_.empty()) return;
  working_ = true;
  worker_.start([job = std::move(jobs_.front())](const auto& /*asked*/) { return job(); });
  jobs_.pop_front();
}

void SqlController::refresh() {
  if (folder_.empty()) return;
  add([folder = folder_] {
    News news;
    news.queries = read_queries(folder);
    return news;
  });
}

void SqlController::look_beside(const std::string& trace_path) {
  const std::string folder = queries_folder_of_trace(trace_path);
  if (folder.empty() || beside_.contains(folder)) return;
  beside_[folder];
  add([folder] {
    News news;
    news.beside = std::pair(folder, read_queries(folder));
    return news;
  });
}

const std::vector<SavedQuery>& SqlController::queries_beside(const std::string& trace_path) const {
  static const std::vector<SavedQuery> kNone;
  const auto found = beside_.find(queries_folder_of_trace(trace_path));
  return found == beside_.end() ? kNone : found->second;
}

std::optional<SavedQuery> SqlController::saved(std::string_view name) const {
  const auto found = std::ranges::find(queries_, name, &SavedQuery::name);
  return found == queries_.end() ? std::nullopt : std::optional(*found);
}

std::optional<SavedQuery> SqlController::named(std::string_view name,
                                               const std::string& trace_path) const {
  for (const auto* list : {&queries_, &queries_beside(trace_path)}) {
    const auto found = std::ranges::find(*list, name, &SavedQuery::name);
    if (found != list->end()) return *found;
  }
  const auto example = std::ranges::find(sql_examples(), name, &SqlExample::name);
  if (example == sql_examples().end()) return std::nullopt;
  return SavedQuery{std::string(example->name), std::string(example->text)};
}

void SqlController::add_of_session(const std::vector<SavedQuery>& queries) {
  for (const SavedQuery& query : queries) {
    const bool known = std::ranges::find(queries_, query.name, &SavedQuery::name) != queries_.end();
    if (!known && check_query_name(query.name)) queries_.push_back(query);
  }
  app_.draw_again();
}

Status SqlController::save(SavedQuery query) {
  if (Status named = check_query_name(query.name); !named) return named;
  const auto old = std::ranges::find(queries_, query.name, &SavedQuery::name);
  if (old != queries_.end()) {
    old->text = query.text;
  } else {
    const auto at = std::ranges::upper_bound(queries_, query.name, {}, &SavedQuery::name);
    queries_.insert(at, query);
  }
  if (folder_.empty()) return ok();  // for as long as the window is open
  add([folder = folder_, query = std::move(query)] {
    News news;
    if (const Status written = write_query(folder, query); !written) {
      news.problem = fmt::format("The query was not saved: {}", written.error().text);
    }
    news.queries = read_queries(folder);
    return news;
  });
  return ok();
}

Status SqlController::remove(const std::string& name) {
  const auto old = std::ranges::find(queries_, name, &SavedQuery::name);
  if (old == queries_.end()) return refused(fmt::format("There is no saved query \"{}\".", name));
  queries_.erase(old);
  if (folder_.empty()) return ok();
  add([folder = folder_, name] {
    static_cast<void>(remove_query(folder, name));  // gone is gone
    News news;
    news.queries = read_queries(folder);
    return news;
  });
  return ok();
}

void SqlController::note_run(std::string_view text) {
  history_.add(text);
  if (history_path_.empty()) return;
  add([path = history_path_, text = std::string(text)] {
    News news;
    if (const Status written = add_to_query_history(path, text); !written) {
      news.problem = written.error().text;
    }
    return news;
  });
}

bool SqlController::knows(std::string_view text) const {
  const std::vector<StatementRange> statements = statements_of(text);
  return !statements.empty() &&
         (history_.knows(text) ||
          std::ranges::all_of(statements, [&](const StatementRange& statement) {
            return history_.knows(text.substr(statement.begin, statement.end - statement.begin));
          }));
}

void SqlController::poll() {
  const bool failed = worker_.take_out_of_memory();
  std::optional<News> news = worker_.take();
  if (!news && !failed) return;
  working_ = false;
  start_next();
  if (!news) return;
  if (news->queries) {
    // Those of sessions are in no folder.
    const std::vector<SavedQuery> before = std::exchange(queries_, std::move(*news->queries));
    if (folder_.empty()) add_of_session(before);
  }
  if (news->beside) beside_[news->beside->first] = std::move(news->beside->second);
  if (news->history) history_.merge(*news->history);
  if (!news->problem.empty()) app_.say(news->problem);
  app_.draw_again();
}

}  // namespace cinderscope
