// The constraints that a table takes over from SQLite: written by its plan, read by its cursor.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Whole numbers that a column may have, both ends in it; empty if first > last.
struct IntegerBounds {
  std::int64_t first = INT64_MIN, last = INT64_MAX;

  bool operator==(const IntegerBounds&) const = default;
  bool empty() const { return first > last; }
  bool all() const { return first == INT64_MIN && last == INT64_MAX; }
  bool holds(std::int64_t value) const { return value >= first && value <= last; }
  // By SQLITE_INDEX_CONSTRAINT_EQ, _IS, _LT, _LE, _GT or _GE, as SQLite compares a column of
  // numeric affinity with any value.
  void narrow(int op, sqlite3_value* value);
};

struct PlanTerm {
  int column = 0;
  int op = 0;
  bool list = false;  // IN, all values at once
};

// Bounds, and those of a list where there was one.
struct IntegerSet {
  IntegerBounds bounds;
  std::optional<std::vector<std::int64_t>> listed;  // ascending, each once

  bool operator==(const IntegerSet&) const = default;
  bool empty() const { return bounds.empty() || (listed && listed->empty()); }
  bool all() const { return bounds.all() && !listed; }
  bool holds(std::int64_t value) const;
  void narrow(const PlanTerm& term, sqlite3_value* value);
};

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
