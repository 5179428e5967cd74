// How a table, a table function or a function is added to the databases of queries: a TableEntry or
// FunctionEntry, and a line in all_tables.cc. For ingest/sql alone, since it shows SQLite.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/plan_terms.h"
#include "ingest/sql/query_data.h"

namespace cinderscope {

struct SqlColumn {
  std::string_view name;
  ColumnKind kind = ColumnKind::any;
  std::string_view help = {};
  bool hidden = false;  // an argument of a table function, a parameter of a table
};

// One scan of a table. Its functions return SQLITE_OK or an error.
class TableCursor {
 public:
  virtual ~TableCursor() = default;
  // Begins anew, as often as the loops around it ask, by what SqlTable::plan() wrote with a
  // PlanWriter; an argument for each term.
  virtual int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) = 0;
  virtual int next() = 0;
  virtual bool eof() const = 0;
  virtual int column(sqlite3_context* out, int column) = 0;
  virtual sqlite3_int64 rowid() const = 0;
  // What was wrong with an argument, for a filter() that failed; empty: SQLite's own words.
  const std::string& error() const { return error_; }

 protected:
  std::string error_;
};

class SqlTable {
 public:
  virtual ~SqlTable() = default;
  // xBestIndex: which constraints it takes over, rows and costs (cost_of_rows()).
  // SQLITE_CONSTRAINT: an argument that it needs is missing.
  virtual int plan(sqlite3_index_info& info) const = 0;
  virtual std::unique_ptr<TableCursor> open() const = 0;
};

struct TableEntry {
  std::string_view name, help;
  std::vector<SqlColumn> columns;  // hidden ones last
  std::unique_ptr<SqlTable> (*make)(QueryData& data) = nullptr;
  // Rows without any constraint, as far as that is known at once; else -1.
  std::int64_t (*row_count)(const QueryData& data) = nullptr;  // null: it is not known
  bool is_function = false;                                    // gives nothing without arguments
};

struct FunctionEntry {
  std::string_view name, arguments, help;  // "path", "slice_id"
  bool is_aggregate = false;
  // Registers it, with kFunctionFlags; `data` outlives the connection.
  int (*add)(sqlite3* connection, QueryData& data) = nullptr;
};
inline constexpr int kFunctionFlags = SQLITE_UTF8 | SQLITE_INNOCUOUS;

// For a table whose rows are a list: all of its constraints are left to SQLite, but for equality of
// the first column where that counts the rows from 1 (`keyed`). Made anew for each scan.
class RowList {
 public:
  virtual ~RowList() = default;
  virtual std::int64_t count() const = 0;
  virtual void cell(std::int64_t row, int column, sqlite3_context* out) const = 0;
};
std::unique_ptr<SqlTable> listed_table(const QueryData& data,
                                       std::unique_ptr<RowList> (*list)(const QueryData& data),
                                       bool keyed);
template <class List, bool kKeyed>
std::unique_ptr<SqlTable> make_listed(QueryData& data) {
  return listed_table(
      data,
      [](const QueryData& of) -> std::unique_ptr<RowList> { return std::make_unique<List>(of); },
      kKeyed);
}

// Makes the table of the entry on the connection; both outlive it.
int add_table(sqlite3* connection, QueryData& data, const TableEntry& entry);

// -- helpers
// What a row costs SQLite, and so plans are compared by: one walked by our loops, one handed over.
inline constexpr double kWalkedRowCost = 0.05, kRowCost = 1;
void give_text(sqlite3_context* out, std::string_view text);  // copied; invalid UTF-8 mended
void give_lasting_text(sqlite3_context* out, std::string_view text);  // valid, and stays
void give_key(sqlite3_context* out, std::int64_t key);                // NULL for 0
inline void give(sqlite3_context* out, std::uint64_t number) {        // clamped
  sqlite3_result_int64(out, number > INT64_MAX ? INT64_MAX : static_cast<sqlite3_int64>(number));
}

// All tables and functions that every database has; a format's own come from its FormatTables.
void add_all_tables(QueryData& data);

}  // namespace cinderscope
