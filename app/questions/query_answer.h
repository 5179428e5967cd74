// A query of the window: run on another thread over the trace as it is now.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/questions/background_task.h"
#include "app/session/session.h"
#include "ingest/sql/query_run.h"
#include "render/tables/query_table.h"

namespace cinderscope {

class QueryEngine;

// A slow statement is said to be one before it runs.
inline constexpr double kSlowSeconds = 2;
inline constexpr std::int64_t kQueryTimeMs = 30'000;

struct QueryAsked {
  std::string text;
  std::size_t offset = 0;  // of the text in the editor's
  std::string name;        // of the saved query that it is; may be empty
  std::string about;       // with what stands before it: a comment may say what it is for
  bool even_if_slow = false;
  QueryWindow window;
};

struct QueryAnswer {
  QueryAsked asked;
  // Of the trace that was asked, as Session gives them.
  std::uint64_t generation = 0, version = 0;
  bool so_far = false;  // it was still being read
  // It would be slow, and was not run: `estimate` says so.
  bool only_estimated = false;
  QueryEstimate estimate;  // of the slowest statement
  QueryOutcome outcome;
  std::vector<std::shared_ptr<const QueryTable>> tables;
};

// What there is to ask in a trace, for the tree and for completion.
struct QueryTraceSchema {
  std::uint64_t generation = 0;
  QuerySchema schema;
  std::vector<std::string> names;  // of calls; some, where there are very many
};

// Runs a query once more for all rows of one of its statements; on any thread. False once `row`
// returns false, and where it fails.
using EachRow = std::function<bool(std::span<const QueryCell> cells)>;
std::function<bool(const EachRow& row)> all_rows(const Session& session, const QueryAsked& asked,
                                                 std::size_t statement);

// One query at a time; a newer one ends the one before. UI thread only, but for what it starts.
class QueryRunner {
 public:
  explicit QueryRunner(std::function<void()> wake);
  ~QueryRunner();

  void run(const Session& session, QueryAsked asked);
  void cancel();  // its answer will not come
  bool running() const { return running_; }
  double running_seconds() const;
  // Asks for the schema of the session's trace, unless it is known or a query runs.
  void want_schema(const Session& session);

  // True if there is anything new.
  bool poll();
  // Frees what is kept of a trace that was replaced since, on the other thread.
  void let_go_of_older(const Session& session);
  const QueryAnswer* answer() const { return answer_.get(); }  // the last one; null: none
  std::shared_ptr<const QueryAnswer> shared_answer() const { return answer_; }
  std::uint64_t answer_count() const { return answer_count_; }  // so far
  const QueryTraceSchema* schema() const { return schema_.get(); }
  bool out_of_memory() const { return out_of_memory_; }
  void forget();  // answer and schema
  std::uint64_t kept_bytes() const;

 private:
  struct Done {
    std::shared_ptr<const QueryAnswer> answer;
    std::shared_ptr<const QueryTraceSchema> schema;
  };
  std::shared_ptr<QueryEngine> engine_of(const Session& session);

  std::shared_ptr<QueryEngine> engine_, retired_;
  std::uint64_t engine_generation_ = 0, engine_version_ = 0;
  std::shared_ptr<const QueryAnswer> answer_;
  std::shared_ptr<const QueryTraceSchema> schema_;
  std::uint64_t answer_count_ = 0;
  std::uint64_t schema_asked_ = 0;  // generation
  int schema_tries_ = 0;
  bool running_ = false, out_of_memory_ = false;
  std::chrono::steady_clock::time_point began_;
  BackgroundTask<Done> task_;  // last: its worker ends before what it works at goes
};

}  // namespace cinderscope
