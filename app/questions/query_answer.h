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
#include <utility>
#include <vector>

#include "app/questions/background_task.h"
#include "app/session/session.h"
#include "ingest/sql/query_run.h"
#include "render/tables/query_table.h"

namespace cinderscope {

class QueryEngine;
struct PrecomputedTotals;
struct QueriedComparison;

// What is asked: an open trace, or both of a comparison with what that found. Not kept.
struct QueriedTraces {
  // NOLINTNEXTLINE(google-explicit-constructor): a trace is one
  QueriedTraces(const Session& session) : sessions{&session} {}
  QueriedTraces(const Session& a, const Session& b,
                std::shared_ptr<const QueriedComparison> comparison, bool comparison_whole)
      : sessions{&a, &b}, compared(std::move(comparison)), complete(comparison_whole) {}

  bool loading() const;
  std::vector<const Session*> sessions;
  std::shared_ptr<const QueriedComparison> compared;  // null: none
  bool complete = true;                               // the comparison is
  // Of the sessions as they are, where the window has worked them out; as QueryRequest has them.
  std::vector<std::shared_ptr<const PrecomputedTotals>> totals;
};

// One of them as it was asked.
struct QueriedTrace {
  const Session* session = nullptr;  // may be gone
  std::uint64_t generation = 0;      // as Session gives it
  // What it has of the keys that count on from trace to trace.
  std::size_t files = 1, tracks = 0;
  std::vector<TrackId> track_of_thread;
};
// They are the same still, and none of them was read again.
bool are_asked(const std::vector<QueriedTrace>& of, const QueriedTraces& traces);

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
  std::vector<QueriedTrace> of;
  bool so_far = false;  // they were still being read or compared
  // It would be slow, and was not run: `estimate` says so.
  bool only_estimated = false;
  QueryEstimate estimate;  // of the slowest statement
  QueryOutcome outcome;
  std::vector<std::shared_ptr<const QueryTable>> tables;
};

// What there is to ask, for the tree and for completion.
struct QueryTraceSchema {
  std::vector<QueriedTrace> of;
  QuerySchema schema;
  std::vector<std::string> names;  // of calls; some, where there are very many
};

// Runs a query once more for all rows of one of its statements; on any thread. False once `row`
// returns false, where it fails, and soon after `ends` is set, whether or not there are rows.
using EachRow = std::function<bool(std::span<const QueryCell> cells)>;
using AllRows = std::function<bool(const EachRow& row, const std::atomic<bool>& ends)>;
AllRows all_rows(const QueriedTraces& traces, const QueryAsked& asked, std::size_t statement);

// One query at a time; a newer one ends the one before. UI thread only, but for what it starts.
class QueryRunner {
 public:
  explicit QueryRunner(std::function<void()> wake);
  ~QueryRunner();

  void run(const QueriedTraces& traces, QueryAsked asked);
  void cancel();  // its answer will not come
  bool running() const { return running_; }
  double running_seconds() const;
  // By the query that runs, so far.
  std::uint64_t slices_looked_at() const { return looked_at_ == nullptr ? 0 : looked_at_->load(); }
  // Asks for the schema of the traces, unless it is known or a query runs.
  void want_schema(const QueriedTraces& traces);

  // True if there is anything new.
  bool poll();
  // Frees what is kept of a trace that was replaced since, on the other thread.
  void let_go_of_older(const QueriedTraces& traces);
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
  std::shared_ptr<QueryEngine> engine_of(const QueriedTraces& traces);

  std::shared_ptr<QueryEngine> engine_, retired_;
  std::shared_ptr<const QueryAnswer> answer_;
  std::shared_ptr<const QueryTraceSchema> schema_;
  std::uint64_t answer_count_ = 0;
  std::vector<QueriedTrace> schema_asked_;
  int schema_tries_ = 0;
  bool running_ = false, out_of_memory_ = false;
  std::chrono::steady_clock::time_point began_;
  std::shared_ptr<std::atomic<std::uint64_t>> looked_at_;
  BackgroundTask<Done> task_;  // last: its worker ends before what it works at goes
};

}  // namespace cinderscope
