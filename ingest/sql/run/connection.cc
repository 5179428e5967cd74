#include "ingest/sql/run/connection.h"

#include <utility>

#include "ingest/sql/functions/text_functions.h"
#include "ingest/sql/grouped/grouped_statement.h"
#include "ingest/sql/grouped/grouped_subqueries.h"
#include "ingest/sql/grouped/slice_groups_table.h"
#include "ingest/sql/sql_table.h"

namespace cinderscope {

namespace {

constexpr int kMostTextBytes = 1 << 20;
constexpr int kStepsBetweenLooks = 10'000;

}  // namespace

QueryDatabase::Connection::Connection(QueryData& data)
    : data_(data),
      watcher_(data.stop_flag()),
      budget_(data.stop_flag()),
      files_((count_sqlite_memory(), budget_)) {
  const BudgetOfThread counted(budget_);
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                         SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  if (sqlite3_open_v2(":memory:", &handle_, kFlags, files_.name()) != SQLITE_OK) return;
  limit();
  fill(data);
  authoriser_.guard(handle_);
  sqlite3_progress_handler(
      handle_, kStepsBetweenLooks,
      [](void* of) { return static_cast<const QueryData*>(of)->stopped() ? 1 : 0; }, &data);
}

QueryDatabase::Connection::~Connection() {
  const BudgetOfThread counted(budget_);
  sqlite3_close_v2(handle_);
}

void QueryDatabase::Connection::limit() {
  constexpr std::pair<int, int> kLimits[] = {
      {SQLITE_LIMIT_SQL_LENGTH, kMostTextBytes},
      // Of a text or blob, and of a row: SQLite's functions are one step each, and those of JSON
      // take 20 ms a MB.
      {SQLITE_LIMIT_LENGTH, 4 << 20},
      {SQLITE_LIMIT_FUNCTION_ARG, 64},
      {SQLITE_LIMIT_EXPR_DEPTH, 200},
      {SQLITE_LIMIT_COLUMN, 500},
      {SQLITE_LIMIT_COMPOUND_SELECT, 200},
      {SQLITE_LIMIT_VDBE_OP, 5'000'000},
      {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10'000},
      {SQLITE_LIMIT_VARIABLE_NUMBER, 1000},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
      {SQLITE_LIMIT_WORKER_THREADS, 0},
  };
  for (const auto& [which, most] : kLimits) sqlite3_limit(handle_, which, most);
  constexpr std::pair<int, int> kSettings[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
  };
  for (const auto& [which, value] : kSettings) {
    sqlite3_db_config(handle_, which, value, static_cast<int*>(nullptr));
  }
  // Twice as much as by default is sorted at once; that takes some 50 ms without a look at the
  // flag.
  sqlite3_exec(handle_, "PRAGMA temp_store = FILE; PRAGMA cache_size = -4000", nullptr, nullptr,
               nullptr);
}

void QueryDatabase::Connection::fill(QueryData& data) {
  for (const FunctionEntry* function : data.functions()) {
    function->add(handle_, data);
    authoriser_.allow_function(function->name);
  }
  add_text_functions(handle_, data);
  for (const TableEntry* table : data.tables()) add_table(handle_, data, *table);
  add_table(handle_, data, slice_groups_table());
}

// Null: it is left to SQLite as it is.
PreparedStatement QueryDatabase::Connection::prepare_grouped(std::string_view text) {
  if (data_.plain() || text.size() > kMostTextBytes) return nullptr;
  // A TEMP table or view of the name would be meant.
  for (const char* table : {"slice", "thread_slice"}) {
    const int found = sqlite3_table_column_metadata(handle_, "temp", table, nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, nullptr);
    if (found == SQLITE_OK) return nullptr;
  }
  std::vector<GroupedQuery>& groupings = data_.groupings();
  std::string rewritten;
  if (std::optional<GroupedStatement> all = grouped_statement(text)) {
    rewritten = all->rewritten(kSliceGroups, groupings.size());
    groupings.push_back(std::move(all->query));
  } else {
    std::vector<GroupedSubquery> parts = grouped_subqueries(text);
    if (parts.empty()) return nullptr;
    rewritten = with_subqueries(text, parts, kSliceGroups, groupings.size());
    for (GroupedSubquery& part : parts) groupings.push_back(std::move(part.statement.query));
  }
  int result = SQLITE_OK;
  PreparedStatement statement = prepare_as_it_is(rewritten, result);
  // What is wrong with it is to be told about the text as it was written.
  return result == SQLITE_OK ? std::move(statement) : nullptr;
}

PreparedStatement QueryDatabase::Connection::prepare(std::string_view text, int& result,
                                                     bool& rewritten) {
  PreparedStatement grouped = prepare_grouped(text);
  rewritten = grouped != nullptr;
  return rewritten ? std::move(grouped) : prepare_as_it_is(text, result);
}

PreparedStatement QueryDatabase::Connection::prepare_as_it_is(std::string_view text, int& result) {
  sqlite3_stmt* statement = nullptr;
  if (!authoriser_.begin_statement(first_word(text))) {
    result = SQLITE_AUTH;
    return nullptr;
  }
  if (text.size() > kMostTextBytes) {
    result = SQLITE_TOOBIG;
    return nullptr;
  }
  result = sqlite3_prepare_v3(handle_, text.data(), static_cast<int>(text.size()), 0, &statement,
                              nullptr);
  return PreparedStatement(statement);
}

}  // namespace cinderscope
