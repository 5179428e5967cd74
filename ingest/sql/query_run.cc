#include "ingest/sql/query_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"
#include "ingest/os/memory.h"
#include "ingest/sql/grouped/grouped_statement.h"
#include "ingest/sql/query_data.h"
#include "ingest/sql/query_schema.h"
#include "ingest/sql/run/connection.h"
#include "ingest/sql/run/error_place.h"
#include "ingest/sql/run/estimate.h"
#include "ingest/sql/sql_table.h"
#include "ingest/sql/sql_tokens.h"
#include "ingest/sql/statements.h"

namespace cinderscope {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t kMostStatements = 100;

ColumnKind kind_of(const char* declared) {
  constexpr ColumnKind kKinds[] = {ColumnKind::integer, ColumnKind::real,     ColumnKind::text,
                                   ColumnKind::time,    ColumnKind::duration, ColumnKind::slice,
                                   ColumnKind::instant};
  for (const ColumnKind kind : kKinds) {
    if (declared != nullptr && equals_in_any_case(declared, word_of(kind))) return kind;
  }
  return ColumnKind::any;
}

std::vector<QueryColumn> columns_of(sqlite3_stmt* statement) {
  std::vector<QueryColumn> columns;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    columns.push_back(
        {valid_utf8(name == nullptr ? "" : name), kind_of(sqlite3_column_decltype(statement, i))});
  }
  return columns;
}

// The cells of a row; texts that are no UTF-8 are mended in `mended`.
void read_cells(sqlite3_stmt* statement, std::vector<QueryCell>& cells,
                std::vector<std::string>& mended) {
  for (int i = 0; i < static_cast<int>(cells.size()); ++i) {
    QueryCell& cell = cells[static_cast<std::size_t>(i)];
    switch (sqlite3_column_type(statement, i)) {
      case SQLITE_NULL:
        cell = std::monostate();
        break;
      case SQLITE_INTEGER:
        cell = std::int64_t{sqlite3_column_int64(statement, i)};
        break;
      case SQLITE_FLOAT:
        cell = sqlite3_column_double(statement, i);
        break;
      default: {
        const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, i));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        const std::string_view text(data == nullptr ? "" : data, size);
        const bool ascii = std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
        std::string& own = mended[static_cast<std::size_t>(i)];
        if (!ascii) own = valid_utf8(text);
        cell = ascii ? text : std::string_view(own);
      }
    }
  }
}

// "… is longer than 4 MB", as SQLite's "string or blob too big".
std::string too_long(sqlite3* handle) {
  const int most = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1);
  return fmt::format(" is longer than {} MB, which is the most here", most >> 20);
}

int bind_value(sqlite3_stmt* statement, int at, std::string_view text) {
  if (const auto whole = parse_number<std::int64_t>(text)) {
    return sqlite3_bind_int64(statement, at, *whole);
  }
  if (const auto number = parse_number<double>(text)) {
    return sqlite3_bind_double(statement, at, *number);
  }
  return sqlite3_bind_text64(statement, at, text.data(), text.size(), SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

// What of the request the statement asks for; a message about the first that nobody gave, or that
// is too long.
std::string bind_parameters(sqlite3_stmt* statement, const QueryRequest& request) {
  for (int at = 1; at <= sqlite3_bind_parameter_count(statement); ++at) {
    const char* name = sqlite3_bind_parameter_name(statement, at);
    if (name == nullptr) return "a parameter needs a name: :NAME instead of ?";
    const auto given = std::ranges::find(request.parameters, std::string_view(name + 1),
                                         &std::pair<std::string, std::string>::first);
    if (given == request.parameters.end()) return fmt::format("no value is given for {}", name);
    if (bind_value(statement, at, given->second) == SQLITE_TOOBIG) {
      return fmt::format("the value of {}{}", name, too_long(sqlite3_db_handle(statement)));
    }
  }
  return {};
}

// Where in the statement the last error lies. SQLite does not say it of unknown tables.
std::optional<std::size_t> error_at(sqlite3* handle, std::string_view message,
                                    std::string_view statement) {
  if (const int at = sqlite3_error_offset(handle); at >= 0) return static_cast<std::size_t>(at);
  constexpr std::string_view kNoTable = "no such table: ";
  if (!message.starts_with(kNoTable)) return std::nullopt;
  const std::string_view name = message.substr(message.find_last_of(" .") + 1);
  for (const SqlToken& token : sql_tokens(statement)) {
    if (equals_in_any_case(name_of(text_of(token, statement)), name)) return token.begin;
  }
  return std::nullopt;
}

// "near "FRM": syntax error" without its beginning.
void drop_near(std::string& message) {
  const std::size_t end = message.find("\": ");
  if (message.starts_with("near \"") && end != std::string::npos) message.erase(0, end + 3);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30, kMiB = 1 << 20;
  if (bytes >= kGiB && bytes % kGiB == 0) return fmt::format("{} GB", bytes / kGiB);
  return fmt::format("{} MB", std::max<std::uint64_t>(1, bytes / kMiB));
}

std::vector<PlanLine> plan_of(QueryDatabase::Connection& connection, std::string_view text,
                              bool* rewritten = nullptr) {
  int result = SQLITE_OK;
  bool grouped = false;
  const PreparedStatement plan =
      connection.prepare("EXPLAIN QUERY PLAN " + std::string(text), result, grouped);
  if (rewritten != nullptr) *rewritten = grouped;
  std::vector<PlanLine> lines;
  while (plan != nullptr && sqlite3_step(plan.get()) == SQLITE_ROW) {
    const auto* detail = reinterpret_cast<const char*>(sqlite3_column_text(plan.get(), 3));
    lines.push_back({sqlite3_column_int(plan.get(), 0), sqlite3_column_int(plan.get(), 1),
                     detail == nullptr ? "" : detail});
  }
  return lines;
}

// Of a slow statement that groups slices by name: what answers it at once.
void suggest_statistics(const QueryData& data, std::string_view text, QueryEstimate& estimate) {
  constexpr double kSliceSeconds = 3e-9;  // of statistics, measured with two cores
  if (estimate.text.empty() || estimate.rewritten || !groups_slices_by_name(text)) return;
  double slices = 0;
  for (const QueryInput& input : data.inputs()) {
    slices += static_cast<double>(input.timeline->slice_count);
  }
  estimate.instead =
      "SELECT name, count, total, self, mean, median, p90, p99, min, max FROM name_stat ORDER BY "
      "total DESC";
  estimate.instead_text =
      fmt::format("name_stat answers this in {:.1f} s.", std::max(0.1, slices * kSliceSeconds));
}

// What of a statement SQLite keeps aside: "ORDER BY", "GROUP BY, DISTINCT".
std::string sorted_clauses(const std::vector<PlanLine>& plan) {
  constexpr std::string_view kStart = "USE TEMP B-TREE FOR ";
  std::string clauses;
  for (const PlanLine& line : plan) {
    if (!line.detail.starts_with(kStart)) continue;
    const std::string clause = line.detail.substr(kStart.size());
    if (clauses.find(clause) != std::string::npos) continue;
    clauses += (clauses.empty() ? "" : ", ") + clause;
  }
  return clauses;
}

}  // namespace

std::string_view word_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::integer:
      return "INTEGER";
    case ColumnKind::real:
      return "REAL";
    case ColumnKind::text:
      return "TEXT";
    case ColumnKind::time:
      return "TIME";
    case ColumnKind::duration:
      return "DURATION";
    case ColumnKind::slice:
      return "SLICE";
    case ColumnKind::instant:
      return "INSTANT";
    default:
      return "";
  }
}

ColumnKind shown_kind(ColumnKind declared, std::string_view name) {
  if (declared != ColumnKind::any) return declared;
  if (name == "ts" || name.ends_with("_ts")) return ColumnKind::time;
  if (name == "dur" || name.ends_with("_dur")) return ColumnKind::duration;
  if (name == "slice_id" || name.ends_with("_slice_id")) return ColumnKind::slice;
  return name == "instant_id" ? ColumnKind::instant : ColumnKind::any;
}

std::uint64_t default_sort_memory() {
  return std::min<std::uint64_t>(std::uint64_t{1} << 30, free_memory_bytes() / 4);
}

std::string QueryOutcome::text() const {
  std::string all = message;
  if (line > 0) all += fmt::format(", line {}", line);
  if (!near.empty()) all += fmt::format(", near \"{}\"", near);
  if (!hint.empty()) all += ". " + hint;
  return all;
}

QueryDatabase::QueryDatabase(std::vector<QueryInput> inputs, QuerySettings settings)
    : data_(std::make_unique<QueryData>(std::move(inputs), std::move(settings))) {
  add_all_tables(*data_);
  schema_ = schema_of(*data_);
  connection_ = std::make_unique<Connection>(*data_);
}

QueryDatabase::~QueryDatabase() = default;

void QueryDatabase::allow_long_values() {
  sqlite3_limit(connection_->handle(), SQLITE_LIMIT_LENGTH, 64 << 20);
}

const SliceNumbers& QueryDatabase::slice_numbers() const {
  return data_->slice_numbers();
}
const SliceNumbers& QueryDatabase::instant_numbers() const {
  return data_->instant_numbers();
}
const std::vector<QueryInput>& QueryDatabase::inputs() const {
  return data_->inputs();
}

QueryOutcome QueryDatabase::run(const QueryRequest& request, const std::atomic<bool>& cancelled,
                                QuerySink& sink) {
  const auto began = steady_clock::now();
  QueryOutcome outcome;
  data_->begin_run(
      {.window = request.window, .totals = request.totals, .looked_at = request.looked_at});
  MemoryBudget& budget = connection_->budget();
  const std::uint64_t sort_bytes = request.limits.sort_memory_bytes != 0
                                       ? request.limits.sort_memory_bytes
                                       : default_sort_memory();
  budget.set_limit(budget.used_bytes() + sort_bytes);
  data_->run().memory_bytes = sort_bytes;
  budget.take_exceeded();
  {
    const BudgetOfThread counted(budget);
    const Watcher::Run watched(connection_->watcher(), cancelled, request.limits.time_ms);
    const std::vector<StatementRange> statements = statements_of(request.text);
    if (statements.size() > kMostStatements) {
      outcome.end = QueryEnd::failed;
      outcome.message = fmt::format("more than {} statements", kMostStatements);
    }
    for (std::size_t i = 0; i < statements.size() && outcome.ok(); ++i) {
      outcome.statement = i;
      run_statement(request, statements[i].begin, statements[i].end, sink, outcome);
    }
    if (!outcome.ok()) explain_end(request, cancelled, sort_bytes, outcome);
  }
  outcome.uses_window = data_->run().uses_window;
  outcome.slices_looked_at = *data_->run().looked_at;
  outcome.seconds = std::chrono::duration<double>(steady_clock::now() - began).count();
  return outcome;
}

void QueryDatabase::run_statement(const QueryRequest& request, std::size_t begin, std::size_t end,
                                  QuerySink& sink, QueryOutcome& outcome) {
  const std::string_view text = std::string_view(request.text).substr(begin, end - begin);
  sqlite3* handle = connection_->handle();
  const auto fail = [&] {
    outcome.end = QueryEnd::failed;
    outcome.message = sqlite3_errmsg(handle);
    const std::optional<std::size_t> at = error_at(handle, outcome.message, text);
    if (at) set_place(outcome, request.text, begin + *at);
    drop_near(outcome.message);  // is said with the place
  };
  int result = SQLITE_OK;
  bool rewritten = false;
  const PreparedStatement statement = connection_->prepare(text, result, rewritten);
  outcome.rewritten |= rewritten;
  if (result != SQLITE_OK) {
    fail();
    if (const std::string& refused = connection_->authoriser().refused(); !refused.empty()) {
      outcome.message = "not allowed here: " + refused;
      set_place(outcome, request.text, begin);
      outcome.near.clear();
    } else if (result == SQLITE_TOOBIG) {
      outcome.message = "the text is too long, at most 1 MB";
    }
    return;
  }
  if (statement == nullptr) return;
  if (std::string missing = bind_parameters(statement.get(), request); !missing.empty()) {
    outcome.end = QueryEnd::failed;
    outcome.message = std::move(missing);
    return;
  }
  const std::vector<QueryColumn> columns = columns_of(statement.get());
  std::vector<QueryCell> cells(columns.size());
  std::vector<std::string> mended(columns.size());
  if (!columns.empty()) sink.begin(outcome.statement, columns);
  bool wants_more = true;
  while (wants_more && (result = sqlite3_step(statement.get())) == SQLITE_ROW) {
    if (data_->stopped()) break;
    read_cells(statement.get(), cells, mended);
    ++outcome.rows;
    wants_more = sink.row(cells);
  }
  // Functions and tables that were told to end gave anything, and SQLite 3.53 may still come to the
  // end of a statement that is nearly there.
  if (wants_more && (result != SQLITE_DONE || data_->stopped())) {
    fail();
    if (result == SQLITE_TOOBIG) outcome.message = "a value or row" + too_long(handle);
    return;
  }
  if (!columns.empty()) sink.end();
}

// Why a run ended early, as its user put it.
void QueryDatabase::explain_end(const QueryRequest& request, const std::atomic<bool>& cancelled,
                                std::uint64_t sort_bytes, QueryOutcome& outcome) {
  const auto end_as = [&](QueryEnd end, std::string message) {
    outcome.end = end;
    outcome.message = std::move(message);
    outcome.line = outcome.column = 0;
    outcome.near.clear();
  };
  if (cancelled) return end_as(QueryEnd::cancelled, "cancelled");
  if (std::string failure = data_->failure(); !failure.empty()) {
    return end_as(QueryEnd::failed, std::move(failure));
  }
  if (data_->stopped()) {
    return end_as(
        QueryEnd::time_limit,
        fmt::format("stopped after {} s", static_cast<double>(request.limits.time_ms) / 1000));
  }
  if (connection_->budget().take_exceeded()) {
    connection_->budget().set_limit(UINT64_MAX);
    const std::vector<StatementRange> statements = statements_of(request.text);
    const StatementRange& of = statements[outcome.statement];
    const std::string clauses = sorted_clauses(
        plan_of(*connection_, std::string_view(request.text).substr(of.begin, of.end - of.begin)));
    return end_as(QueryEnd::memory_limit,
                  fmt::format("out of memory for sorting: {}{}", bytes_text(sort_bytes),
                              clauses.empty() ? "" : " (" + clauses + ")"));
  }
  outcome.hint = hint_for(outcome.message, schema_);
}

std::vector<QueryEstimate> QueryDatabase::estimate(const QueryRequest& request) {
  data_->begin_run({.window = request.window});
  const BudgetOfThread counted(connection_->budget());
  std::vector<QueryEstimate> estimates;
  for (const StatementRange& each : statements_of(request.text)) {
    const std::string_view text =
        std::string_view(request.text).substr(each.begin, each.end - each.begin);
    bool rewritten = false;
    const std::vector<PlanLine> plan = plan_of(*connection_, text, &rewritten);
    if (plan.empty()) {  // a statement without a plan, or one that cannot be prepared
      int result = SQLITE_OK;
      connection_->prepare(text, result);
      if (result != SQLITE_OK) break;
    }
    estimates.push_back(estimate_of(plan));
    estimates.back().rewritten = rewritten;
    suggest_statistics(*data_, text, estimates.back());
  }
  return estimates;
}

}  // namespace cinderscope
