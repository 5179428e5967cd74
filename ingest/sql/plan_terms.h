// The constraints that a table takes over from SQLite: written by its plan, read by its cursor.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/number_set.h"

namespace cinderscope {

struct PlanTerm {
  int column = 0;
  int op = 0;
  bool list = false;  // IN, all values at once
};

// The numbers that a column may have: as SQLite compares one of numeric affinity with the value by
// SQLITE_INDEX_CONSTRAINT_EQ, _IS, _LT, _LE, _GT or _GE, or with all values of a list.
NumberSet numbers_of(const PlanTerm& term, sqlite3_value* value);

// Calls `visit(value)` for each value of an IN list that came whole.
template <class Visit>
void for_values(sqlite3_value* list, Visit visit) {
  sqlite3_value* value = nullptr;
  for (int rc = sqlite3_vtab_in_first(list, &value); rc == SQLITE_OK && value != nullptr;
       rc = sqlite3_vtab_in_next(list, &value)) {
    visit(value);
  }
}

// What xBestIndex decides, as a text that goes to the cursor and is shown by EXPLAIN QUERY PLAN:
// "order=2 rows=100 15=2 12=2i".
class PlanWriter {
 public:
  explicit PlanWriter(sqlite3_index_info& info) : info_(info) {}

  // Takes constraint `i` over; its value is the next argument. `done`: SQLite need not test it
  // again. An IN list comes whole where it can.
  void take(int i, bool done);
  // The same of an equality, but the values of a list come one after the other.
  void take_one(int i);
  // LIMIT and OFFSET as a hint: SQLite counts and passes over rows itself.
  void take_limit(int i);
  int finish(double rows, double cost, int order = 0);

 private:
  sqlite3_index_info& info_;
  int arguments_ = 0;
  std::string terms_;
};

struct PlanText {
  int order = 0;
  double rows = 0;
  std::vector<PlanTerm> terms;  // of the arguments, in order
};
PlanText read_plan(std::string_view text);

}  // namespace cinderscope
