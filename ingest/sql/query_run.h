// Running SQL over open traces: what the command line, the window and exports use. No header here
// shows SQLite.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ingest/model/slice_set.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

class QueryData;
class SliceNumbers;
class TraceSource;
struct PrecomputedTotals;
struct QueriedComparison;

struct QueryBookmark {
  std::int64_t time_ns = 0, begin_ns = 0, end_ns = 0;  // of its flag; of the view
  std::string note;
};

// A timeline that is asked, as it is when the database is made. It counts as one trace, or where it
// has several files as one for each. A copy of a Timeline shares its chunks and names.
struct QueryInput {
  std::shared_ptr<const Timeline> timeline;
  // Reads records again, and has the tables of its format; null: nothing is known of categories and
  // arguments.
  std::shared_ptr<const TraceSource> source;
  std::string name, path, format;  // base name; where the timeline has files: theirs
  bool lazy = false;               // only a part of the trace is read
  std::vector<QueryBookmark> bookmarks;
};

// What a column's cells are: its declared type, through aliases, views and sub-queries; `any` where
// it has none.
enum class ColumnKind : std::uint8_t { any, integer, real, text, time, duration, slice, instant };
std::string_view word_of(ColumnKind kind);  // "INTEGER", "TIME", ...; empty for `any`
// By the declared type, else by the name: ts and *_ts are times, dur and *_dur durations, slice_id
// and *_slice_id slices, instant_id an instant.
ColumnKind shown_kind(ColumnKind declared, std::string_view name);

struct QueryColumn {
  std::string name;
  ColumnKind kind = ColumnKind::any;  // as declared
  bool operator==(const QueryColumn&) const = default;
};

// NULL, an integer, a number, a text. Texts are valid UTF-8 and stay until the sink returns.
using QueryCell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

// Takes the answers of the statements of a text, one after the other. On the thread that runs it.
class QuerySink {
 public:
  virtual ~QuerySink() = default;
  // A statement that gives rows begins; not called for those that give none (CREATE TEMP TABLE).
  virtual void begin(std::size_t statement, std::span<const QueryColumn> columns) = 0;
  // False: it wants no more of this statement; the next one goes on.
  virtual bool row(std::span<const QueryCell> cells) = 0;
  virtual void end() {}
};

// What the functions view_begin(), ... give; without a window NULL, range from --from and --to.
struct QueryWindow {
  std::optional<std::int64_t> view_begin, view_end, range_begin, range_end;
  std::optional<std::pair<std::uint32_t, SliceRef>> selected;  // in which input
};

struct QueryLimits {
  std::int64_t time_ms = 0;  // 0: none
  std::uint64_t sort_memory_bytes =
      0;  // for sorting and temporary tables; 0: default_sort_memory()
};
// 1 GiB, or a quarter of what is free if that is less.
std::uint64_t default_sort_memory();

struct QueryRequest {
  std::string text;
  std::vector<std::pair<std::string, std::string>> parameters;  // :NAME; numbers are numbers
  QueryWindow window;
  QueryLimits limits;
  // By input: what stretches of its slices add up to, where somebody worked that out; may be empty,
  // and have nulls. name_stat uses it.
  std::vector<std::shared_ptr<const PrecomputedTotals>> totals = {};
  // Grows while it runs, as QueryOutcome::slices_looked_at; any thread may read it. May be null.
  std::shared_ptr<std::atomic<std::uint64_t>> looked_at = {};
};

enum class QueryEnd : std::uint8_t { done, failed, cancelled, time_limit, memory_limit };

// How a run ended. What came to the sink before an error stays good.
struct QueryOutcome {
  QueryEnd end = QueryEnd::done;
  std::string message;        // "no such column: durr"
  std::string hint;           // "Did you mean dur?"; may be empty
  std::string near;           // what stands at the place of the error; may be empty
  std::size_t statement = 0;  // which one failed, from 0
  // Of the error in the text: bytes from its begin; line and column from 1, in characters. Without
  // a place `line` is 0.
  std::size_t offset = 0, length = 0;
  std::uint32_t line = 0, column = 0;
  std::uint64_t rows = 0;    // of all statements
  bool uses_window = false;  // it asked for view_begin(), selected_slice(), ...: may be run again
  bool rewritten = false;    // some grouping was added up natively
  // Slices that tables handed to SQLite or added up, name_stat and call_tree, too: those that what
  // they test themselves left.
  std::uint64_t slices_looked_at = 0;
  double seconds = 0;

  bool ok() const { return end == QueryEnd::done; }
  // "no such column: durr, line 3, near "durr". Did you mean dur?"
  std::string text() const;
};

// What a statement will cost, from its plan; by rows of the outer loops.
struct QueryEstimate {
  double seconds = 0;
  std::uint64_t rows = 0;
  bool rewritten = false;
  std::string text;          // "about 50 s: 100 000 000 rows grouped one by one."; empty below 2 s
  std::string instead;       // a statement that answers this at once; empty: none is known
  std::string instead_text;  // "name_stat answers this in 0.3 s."
  std::vector<std::string> plan;  // SQLite's, a line each
};

// What there is to ask, for completion and the window's tree.
struct SchemaColumn {
  std::string name;
  ColumnKind kind = ColumnKind::any;
  std::string help;
  bool hidden = false;  // a parameter of a table function
};
struct SchemaTable {
  std::string name, help;
  std::vector<SchemaColumn> columns;
  std::uint64_t rows = 0;
  bool rows_known = false;   // without reading the trace
  bool is_function = false;  // is called with arguments: descendant(slice_id)
};
struct SchemaFunction {
  std::string name, arguments, help;  // "path", "slice_id"
  bool is_aggregate = false;
};
struct QuerySchema {
  std::vector<SchemaTable> tables;  // with the format's own and table functions
  std::vector<SchemaFunction> functions;
};

struct QuerySettings {
  bool plain = false;  // every help of ours is switched off: SQLite tests, sorts and groups itself
  unsigned jobs = 0;   // 0: one per core
  // How show_time() and show_dur() write a number of a trace's axis; null: as the number.
  using Show = std::function<std::string(const Timeline& timeline, std::int64_t number)>;
  Show show_time, show_dur;
  // Of the first two inputs, A and B: then there is the table `compared`; null: it is not.
  std::shared_ptr<const QueriedComparison> compared;
};

// Holds traces, and TEMP tables over several runs. One thread at a time; any thread. The flag that
// cancels is set from another one. Costs some milliseconds to make.
class QueryDatabase {
 public:
  explicit QueryDatabase(std::vector<QueryInput> inputs, QuerySettings settings = {});
  ~QueryDatabase();
  QueryDatabase(const QueryDatabase&) = delete;
  QueryDatabase& operator=(const QueryDatabase&) = delete;

  // All statements of the text, one after the other, until one fails. Ends within 100 ms once
  // `cancelled` is set.
  QueryOutcome run(const QueryRequest& request, const std::atomic<bool>& cancelled,
                   QuerySink& sink);
  // Of each statement; those before the first that cannot be prepared. Runs nothing; of statements
  // that use tables which earlier ones of the text make it knows nothing.
  std::vector<QueryEstimate> estimate(const QueryRequest& request);

  const QuerySchema& schema() const { return schema_; }
  // For statements of our own, before the first run: values and rows of 64 MB instead of 4, which
  // nobody else may have, since a function of such a text is not cancelled in time.
  void allow_long_values();

  // How cells of the kinds `slice` and `instant` lead back to what they name.
  const SliceNumbers& slice_numbers() const;
  const SliceNumbers& instant_numbers() const;
  const std::vector<QueryInput>& inputs() const;

  class Connection;  // run/connection.h

 private:
  void run_statement(const QueryRequest& request, std::size_t begin, std::size_t end,
                     QuerySink& sink, QueryOutcome& outcome);
  void explain_end(const QueryRequest& request, const std::atomic<bool>& cancelled,
                   std::uint64_t sort_bytes, QueryOutcome& outcome);

  std::unique_ptr<QueryData> data_;
  QuerySchema schema_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace cinderscope
