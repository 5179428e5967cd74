#include "ingest/sql/run/connection.h"

#include <utility>

#include "ingest/sql/sql_table.h"

namespace cinderscope {

namespace {

constexpr int kMostTextBytes = 1 << 20;
constexpr int kStepsBetweenLooks = 10'000;

}  // namespace

QueryDatabase::Connection::Connection(QueryData& data)
    : watcher_(data.stop_flag()),
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
      {SQLITE_LIMIT_LENGTH, 64 << 20},  // of a text or blob, and of a row
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
  for (const TableEntry* table : data.tables()) add_table(handle_, data, *table);
}

PreparedStatement QueryDatabase::Connection::prepare(std::string_view text, int& result) {
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
