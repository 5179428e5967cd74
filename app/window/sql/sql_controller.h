// What all SQL tabs share: saved queries, those beside traces, and the queries that were run.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/desktop/user_folders.h"
#include "app/questions/background_task.h"
#include "app/store/query_history.h"
#include "app/store/saved_queries.h"
#include "ingest/base/result.h"

namespace cinderscope {

class AppContext;

// Files are read and written on a thread of its own. UI thread only.
class SqlController {
 public:
  explicit SqlController(AppContext& app);
  ~SqlController();

  // Where queries and the history are kept; without that, only in memory.
  void keep(const UserFolders& folders);
  // Reads again what others may have saved.
  void refresh();
  // Those beside a trace, which are looked for once.
  void look_beside(const std::string& trace_path);

  const std::vector<SavedQuery>& queries() const { return queries_; }
  const std::vector<SavedQuery>& queries_beside(const std::string& trace_path) const;
  // Of the user's, else beside the trace, else an example; nullopt: there is none.
  // Of the user's alone, with those of sessions.
  std::optional<SavedQuery> saved(std::string_view name) const;
  std::optional<SavedQuery> named(std::string_view name, const std::string& trace_path) const;
  // As a session brings them: what is there under the name stays.
  void add_of_session(const std::vector<SavedQuery>& queries);
  Status save(SavedQuery query);
  Status remove(const std::string& name);

  const QueryHistory& history() const { return history_; }
  void note_run(std::string_view text);
  // All statements of the text were run on this machine, each exactly so.
  bool knows(std::string_view text) const;

  bool busy() const { return working_ || !jobs_.empty(); }
  void poll();

 private:
  struct News {
    std::optional<std::vector<SavedQuery>> queries;
    std::optional<std::pair<std::string, std::vector<SavedQuery>>> beside;  // a folder's
    std::optional<QueryHistory> history;
    std::string problem;
  };
  using Job = std::function<News()>;
  void add(Job job);
  void start_next();

  AppContext& app_;
  std::string folder_, history_path_;
  std::vector<SavedQuery> queries_;
  std::map<std::string, std::vector<SavedQuery>> beside_;  // by folder
  QueryHistory history_;
  std::deque<Job> jobs_;
  bool working_ = false;
  BackgroundTask<News> worker_;
};

}  // namespace cinderscope
