// What table functions and tables with parameters share: their arguments are hidden columns.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/sql/sql_table.h"

namespace cinderscope {

struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};

// The arguments of one scan, by their place; those that are missing or NULL are none.
class Arguments {
 public:
  void set(const PlanText& plan, std::span<sqlite3_value*> values, int first_column,
           std::size_t count);

  bool has(std::size_t i) const { return values_[i] != nullptr; }
  sqlite3_value* value(std::size_t i) const { return values_[i].get(); }  // null: none
  // A number that is whole, also written as 5.0 or '5'; nullopt otherwise.
  std::optional<std::int64_t> integer(std::size_t i) const;
  std::string text(std::size_t i) const;  // empty where there is none
  void give(sqlite3_context* out, std::size_t i) const;

 private:
  std::vector<std::unique_ptr<sqlite3_value, FreeValue>> values_;
};

// A scan of a table function. What is made of it: begin() finds the first row, advance() the next
// one, cell() gives a column that is no argument.
class FunctionCursor : public TableCursor {
 public:
  FunctionCursor(int first_argument, std::size_t arguments)
      : first_argument_(first_argument), argument_count_(arguments) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> values) final;
  int next() final;
  int column(sqlite3_context* out, int column) final;
  sqlite3_int64 rowid() const final { return rowid_; }

 protected:
  virtual int begin() = 0;
  virtual int advance() = 0;
  virtual void cell(sqlite3_context* out, int column) = 0;
  const Arguments& arguments() const { return arguments_; }
  int fail(std::string message);  // of begin()

 private:
  int first_argument_;
  std::size_t argument_count_;
  Arguments arguments_;
  sqlite3_int64 rowid_ = 1;
};

// A table of which all hidden columns are arguments. `rows` is about how many a call gives.
class FunctionTable final : public SqlTable {
 public:
  using Open =
      std::function<std::unique_ptr<TableCursor>(int first_argument, std::size_t arguments)>;
  FunctionTable(const TableEntry& entry, double rows, double cost, Open opened);

  int plan(sqlite3_index_info& info) const override;
  std::unique_ptr<TableCursor> open() const override {
    return open_(first_argument_, argument_count_);
  }

 private:
  int first_argument_;
  std::size_t argument_count_;
  double rows_, cost_;
  Open open_;
};

// TableEntry::make of a function whose calls give about `kRows` rows, each at `kCost`. A Cursor is
// made of the data, the first argument's column and the number of arguments.
template <class Cursor, const TableEntry& (*kEntry)(), int kRows, int kCost>
std::unique_ptr<SqlTable> make_function(QueryData& data) {
  return std::make_unique<FunctionTable>(kEntry(), kRows, kCost,
                                         [&data](int first, std::size_t arguments) {
                                           return std::make_unique<Cursor>(data, first, arguments);
                                         });
}

// Names from the innermost out become "outermost;...;innermost".
void give_joined(sqlite3_context* out, std::span<const std::string_view> names);

// The columns without those that are hidden, then the arguments.
std::vector<SqlColumn> with_arguments(std::vector<SqlColumn> columns,
                                      const std::vector<SqlColumn>& arguments);

}  // namespace cinderscope
