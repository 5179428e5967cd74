// What all tables and functions of one database share: the traces, and the numbers of what is in
// them. For ingest/sql alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/sql/grouped/grouped_query.h"
#include "ingest/sql/query_run.h"
#include "ingest/sql/slice_numbers.h"

namespace cinderscope {

struct TableEntry;
struct FunctionEntry;

// A row of the table `trace`.
struct QueryTrace {
  std::uint32_t input = 0;
  std::uint32_t file = kNoFile;  // in Timeline::files; kNoFile: all of the timeline
};

class QueryData {
 public:
  QueryData(std::vector<QueryInput> inputs, QuerySettings settings);

  const std::vector<QueryInput>& inputs() const { return inputs_; }
  const Timeline& timeline(std::uint32_t input) const { return *inputs_[input].timeline; }
  const SliceSet& slices(std::uint32_t input) const { return *sets_[input]; }
  const std::vector<std::shared_ptr<const SliceSet>>& sets() const { return sets_; }
  const std::vector<QueryTrace>& traces() const { return traces_; }
  const SliceNumbers& slice_numbers() const { return slice_numbers_; }
  const SliceNumbers& instant_numbers() const { return instant_numbers_; }
  unsigned jobs() const { return jobs_; }
  bool plain() const { return settings_.plain; }
  const QuerySettings& settings() const { return settings_; }

  // Keys count from 1 over all inputs, input by input; 0: there is none (NULL).
  std::int64_t process_key(std::uint32_t input, ProcessId process) const {
    return index(process) < timeline(input).processes.size()
               ? first_process_[input] + index(process)
               : 0;
  }
  std::int64_t thread_key(std::uint32_t input, ThreadId thread) const {
    return thread == kNoThread ? 0 : first_thread_[input] + index(thread);
  }
  std::int64_t track_key(std::uint32_t input, TrackId track) const {
    return track == kNoTrack ? 0 : first_track_[input] + index(track);
  }
  // By the order of the texts, since a loader's threads meet names in another order each time. All
  // are sorted when the first is asked for. On the run's thread alone.
  std::int64_t name_key(std::uint32_t input, StringId name) const {
    if (name_ranks_[input].empty()) rank_names(input);
    const std::vector<std::uint32_t>& ranks = name_ranks_[input];
    return first_name_[input] + (index(name) < ranks.size() ? ranks[index(name)] : 0);
  }
  std::int64_t trace_key(std::uint32_t input, ProcessId process) const;
  std::int64_t trace_key(std::uint32_t input, TrackId track) const {
    return trace_key(input, timeline(input).tracks[index(track)].process);
  }
  // From a key: false if there is none such.
  template <class Id>
  struct Place {
    std::uint32_t input = 0;
    Id id{};
  };
  std::optional<Place<ProcessId>> process_of(std::int64_t key) const;
  std::optional<Place<ThreadId>> thread_of(std::int64_t key) const;
  std::optional<Place<TrackId>> track_of(std::int64_t key) const;
  std::int64_t process_count() const { return first_process_.back() - 1; }
  std::int64_t thread_count() const { return first_thread_.back() - 1; }
  std::int64_t track_count() const { return first_track_.back() - 1; }
  std::int64_t name_count() const { return first_name_.back() - 1; }

  // The name as valid UTF-8; stays as long as the database. On the run's thread alone.
  std::string_view text(std::uint32_t input, StringId name) const;

  // -- of the run that goes on; on its thread
  struct Run {
    QueryWindow window;
    bool uses_window = false;
    std::uint64_t memory_bytes = UINT64_MAX;  // that engines may take beside SQLite's
    std::vector<std::shared_ptr<const PrecomputedTotals>> totals = {};  // as QueryRequest has them
    // begin_run() sees to it that there is one.
    std::shared_ptr<std::atomic<std::uint64_t>> looked_at =
        std::make_shared<std::atomic<std::uint64_t>>(0);
  };
  Run& run() { return run_; }
  const Run& run() const { return run_; }
  void begin_run(Run run);
  // Slices that are handed over, on the run's thread alone, and that are added up, on any.
  void count_handed_over() const {
    std::atomic<std::uint64_t>& count = *run_.looked_at;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void count_added_up(std::uint64_t slices) const {
    run_.looked_at->fetch_add(slices, std::memory_order_relaxed);
  }
  // The run is to end: cancelled, or its time is over. Loops of tables ask it now and then; engines
  // are given the flag. A watcher of the run sets it.
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  std::atomic<bool>& stop_flag() { return stop_; }
  const std::atomic<bool>& stop_flag() const { return stop_; }
  // Ends the run with a message, the first one; any thread.
  void fail(std::string message) const;
  std::string failure() const;  // empty: there was none

  const std::vector<const TableEntry*>& tables() const { return tables_; }
  const std::vector<const FunctionEntry*>& functions() const { return functions_; }
  void add(const TableEntry& table) { tables_.push_back(&table); }
  // What statements of the run that group slices ask for, by the number that their table is given.
  std::vector<GroupedQuery>& groupings() { return groupings_; }
  // Of one that only these traces have.
  void add(std::shared_ptr<const TableEntry> table) {
    tables_.push_back(table.get());
    own_tables_.push_back(std::move(table));
  }
  void add(const FunctionEntry& function) { functions_.push_back(&function); }

 private:
  void rank_names(std::uint32_t input) const;

  std::vector<QueryInput> inputs_;
  QuerySettings settings_;
  unsigned jobs_ = 1;
  std::vector<std::shared_ptr<const SliceSet>> sets_;
  std::vector<QueryTrace> traces_;
  std::vector<std::int64_t> first_trace_;  // of each input, then one more
  std::vector<std::int64_t> first_process_, first_thread_, first_track_, first_name_;
  SliceNumbers slice_numbers_, instant_numbers_;
  // Names as valid UTF-8, by input and name; those without data were not asked for yet.
  mutable std::vector<std::vector<std::string_view>> texts_;
  mutable std::deque<std::string> mended_;
  mutable std::vector<std::vector<std::uint32_t>> name_ranks_;  // empty: not asked for yet
  Run run_;
  mutable std::atomic<bool> stop_{false};
  mutable std::mutex failure_mutex_;
  mutable std::string failure_;  // guarded
  std::vector<const TableEntry*> tables_;
  std::vector<const FunctionEntry*> functions_;
  std::vector<GroupedQuery> groupings_;
  std::vector<std::shared_ptr<const TableEntry>> own_tables_;
};

}  // namespace cinderscope
