// The connection of a QueryDatabase: an empty database in memory, the tables of traces, what guards
// it.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>

#include "ingest/sql/query_run.h"
#include "ingest/sql/run/authoriser.h"
#include "ingest/sql/run/memory_budget.h"
#include "ingest/sql/run/memory_files.h"
#include "ingest/sql/run/watcher.h"

namespace cinderscope {

struct FinaliseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using PreparedStatement = std::unique_ptr<sqlite3_stmt, FinaliseStatement>;

class QueryDatabase::Connection {
 public:
  explicit Connection(QueryData& data);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sqlite3* handle() { return handle_; }
  MemoryBudget& budget() { return budget_; }
  Authoriser& authoriser() { return authoriser_; }
  Watcher& watcher() { return watcher_; }

  // Null with an error of the handle, or with nothing but blanks in `text`, which is one statement.
  // One that groups slices is `rewritten` so that they are added up natively.
  PreparedStatement prepare(std::string_view text, int& result, bool& rewritten);
  PreparedStatement prepare(std::string_view text, int& result) {
    bool rewritten = false;
    return prepare(text, result, rewritten);
  }

 private:
  void limit();
  void fill(QueryData& data);
  PreparedStatement prepare_as_it_is(std::string_view text, int& result);
  PreparedStatement prepare_grouped(std::string_view text);

  QueryData& data_;
  Watcher watcher_;
  MemoryBudget budget_;
  MemoryFiles files_;
  Authoriser authoriser_;
  sqlite3* handle_ = nullptr;
};

}  // namespace cinderscope
