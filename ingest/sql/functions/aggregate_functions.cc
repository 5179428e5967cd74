// The aggregates: sum, total, avg, percentile, median, covered, stddev.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/sql/functions/all_functions.h"
#include "ingest/sql/functions/percent.h"
#include "ingest/sql/functions/sqlite_memory.h"
#include "ingest/sql/grouped/interval_union.h"
#include "ingest/sql/grouped/value_rank.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

namespace {

// The state of one group: made with its first row, gone with its result.
template <class State>
State* state_of(sqlite3_context* context, bool make) {
  auto** place = static_cast<State**>(
      sqlite3_aggregate_context(context, make ? static_cast<int>(sizeof(State*)) : 0));
  if (place == nullptr) return nullptr;
  if (*place == nullptr && make) *place = new State;
  return *place;
}

template <class Work>
void guarded(sqlite3_context* context, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

template <class State>
void step(sqlite3_context* context, int count, sqlite3_value** values) {
  guarded(context, [&] {
    state_of<State>(context, true)->add(context, {values, static_cast<std::size_t>(count)});
  });
}
template <class State>
void inverse(sqlite3_context* context, int count, sqlite3_value** values) {
  auto* state = state_of<State>(context, false);
  if (state != nullptr) state->remove({values, static_cast<std::size_t>(count)});
}
template <class State>
void value(sqlite3_context* context) {
  guarded(context, [&] {
    auto* state = state_of<State>(context, false);
    if (state == nullptr) {
      State().give(context);
    } else {
      state->give(context);
    }
  });
}
template <class State>
void final_value(sqlite3_context* context) {
  value<State>(context);
  delete state_of<State>(context, false);
}

// Whole numbers are added up exactly, so that no order of adding matters: SQLite's own functions
// round at every step, and fail where only a part of the sum is too large.
struct Sum {
  WideSum whole = 0;
  double real = 0;
  std::int64_t count = 0, reals = 0;

  void take(sqlite3_value* value, int sign) {
    const int type = sqlite3_value_numeric_type(value);
    if (type == SQLITE_NULL) return;
    count += sign;
    if (type == SQLITE_INTEGER) {
      whole += sign * WideSum{sqlite3_value_int64(value)};
    } else {
      real += sign * sqlite3_value_double(value);
      reals += sign;
    }
  }
  void add(sqlite3_context*, std::span<sqlite3_value*> values) { take(values[0], 1); }
  void remove(std::span<sqlite3_value*> values) { take(values[0], -1); }
  double as_real() const {
    return reals == 0 ? static_cast<double>(whole) : static_cast<double>(whole) + real;
  }
};
struct SumOf : Sum {
  void give(sqlite3_context* context) const {
    if (count == 0) return sqlite3_result_null(context);
    if (reals != 0) return sqlite3_result_double(context, as_real());
    if (whole != WideSum{clamped(whole)}) {
      return sqlite3_result_error(context, "integer overflow", -1);
    }
    sqlite3_result_int64(context, clamped(whole));
  }
};
struct TotalOf : Sum {
  void give(sqlite3_context* context) const { sqlite3_result_double(context, as_real()); }
};
struct AverageOf : Sum {
  void give(sqlite3_context* context) const {
    if (count == 0) return sqlite3_result_null(context);
    sqlite3_result_double(context, as_real() / static_cast<double>(count));
  }
};

// A number as SQLite has it; the order of both kinds is exact.
struct Number {
  bool is_real = false;
  std::int64_t whole = 0;
  double real = 0;

  static int compare(std::int64_t whole, double real) {
    constexpr double kEnd = 9223372036854775808.0;  // 2^63
    if (real >= kEnd) return -1;
    if (real < -kEnd) return 1;
    const auto below = static_cast<std::int64_t>(std::floor(real));
    if (whole != below) return whole < below ? -1 : 1;
    return static_cast<double>(below) == real ? 0 : -1;
  }
  bool operator<(const Number& other) const {
    if (is_real && other.is_real) return real < other.real;
    if (!is_real && !other.is_real) return whole < other.whole;
    return is_real ? compare(other.whole, real) > 0 : compare(whole, other.real) < 0;
  }
};

template <bool kMedian>
struct Percentile {
  std::pmr::vector<std::int64_t> whole{SqliteMemory::instance()};
  std::pmr::vector<double> real{SqliteMemory::instance()};
  bool has_share = false, share_is_null = false;
  double share = 50;

  bool take_share(sqlite3_context* context, sqlite3_value* value) {
    const bool is_null = sqlite3_value_type(value) == SQLITE_NULL;
    const auto percent = is_null ? std::optional(0.0) : percent_of(value);
    if (!percent) {
      sqlite3_result_error(context, kNoPercent.data(), static_cast<int>(kNoPercent.size()));
      return false;
    }
    if (has_share && (share != *percent || share_is_null != is_null)) {
      sqlite3_result_error(context, "percentile(): the second argument is the same for all rows",
                           -1);
      return false;
    }
    has_share = true;
    share_is_null = is_null;
    share = *percent;
    return true;
  }
  void add(sqlite3_context* context, std::span<sqlite3_value*> values) {
    if constexpr (!kMedian) {
      if (!take_share(context, values[1])) return;
    }
    switch (sqlite3_value_numeric_type(values[0])) {
      case SQLITE_NULL:
        return;
      case SQLITE_INTEGER:
        return whole.push_back(sqlite3_value_int64(values[0]));
      case SQLITE_FLOAT:
        return real.push_back(sqlite3_value_double(values[0]));
      default:
        sqlite3_result_error(context, "percentile(), median(): values are numbers", -1);
    }
  }
  void remove(std::span<sqlite3_value*> values) {
    const auto take_out = [](auto& from, auto number) {
      const auto found = std::find(from.begin(), from.end(), number);
      if (found == from.end()) return;
      *found = from.back();
      from.pop_back();
    };
    const int type = sqlite3_value_numeric_type(values[0]);
    if (type == SQLITE_INTEGER) take_out(whole, std::int64_t{sqlite3_value_int64(values[0])});
    if (type == SQLITE_FLOAT) take_out(real, sqlite3_value_double(values[0]));
  }
  void give(sqlite3_context* context) {
    const std::size_t count = whole.size() + real.size();
    if (count == 0 || share_is_null) return sqlite3_result_null(context);
    const auto rank = static_cast<std::ptrdiff_t>(rank_of_percent(count, share));
    if (real.empty()) {
      std::nth_element(whole.begin(), whole.begin() + rank, whole.end());
      return sqlite3_result_int64(context, whole[static_cast<std::size_t>(rank)]);
    }
    std::pmr::vector<Number> all(SqliteMemory::instance());
    all.reserve(count);
    for (const std::int64_t each : whole) all.push_back({.whole = each});
    for (const double each : real) all.push_back({.is_real = true, .real = each});
    std::nth_element(all.begin(), all.begin() + rank, all.end());
    const Number& found = all[static_cast<std::size_t>(rank)];
    found.is_real ? sqlite3_result_double(context, found.real)
                  : sqlite3_result_int64(context, found.whole);
  }
};

struct Covered {
  IntervalUnion all{SqliteMemory::instance()};

  void add(sqlite3_context* context, std::span<sqlite3_value*> values) {
    const int begin = sqlite3_value_numeric_type(values[0]);
    const int length = sqlite3_value_numeric_type(values[1]);
    if (begin == SQLITE_NULL || length == SQLITE_NULL) return;
    if (begin != SQLITE_INTEGER || length != SQLITE_INTEGER) {
      return sqlite3_result_error(context, "covered(): times are whole numbers", -1);
    }
    const std::int64_t begin_ns = sqlite3_value_int64(values[0]);
    all.add(begin_ns, saturating_sum(begin_ns, sqlite3_value_int64(values[1])));
  }
  void give(sqlite3_context* context) { sqlite3_result_int64(context, all.length()); }
};

// Of a sample, by Welford's method: no large squares are taken from each other.
struct Deviation {
  std::int64_t count = 0;
  double mean = 0, squares = 0;

  void add(sqlite3_context*, std::span<sqlite3_value*> values) {
    if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL) return;
    const double number = sqlite3_value_double(values[0]);
    ++count;
    const double before = number - mean;
    mean += before / static_cast<double>(count);
    squares += before * (number - mean);
  }
  void remove(std::span<sqlite3_value*> values) {
    if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL) return;
    const double number = sqlite3_value_double(values[0]);
    if (--count == 0) {
      mean = squares = 0;
      return;
    }
    const double before = number - mean;
    mean -= before / static_cast<double>(count);
    squares = std::max(0.0, squares - before * (number - mean));
  }
  void give(sqlite3_context* context) const {
    if (count < 2) return sqlite3_result_null(context);
    sqlite3_result_double(context, std::sqrt(squares / static_cast<double>(count - 1)));
  }
};

constexpr int kFlags = kFunctionFlags | SQLITE_DETERMINISTIC;

template <class State>
int add_window(sqlite3* connection, const char* name, int arguments) {
  return sqlite3_create_window_function(connection, name, arguments, kFlags, nullptr, step<State>,
                                        final_value<State>, value<State>, inverse<State>, nullptr);
}

}  // namespace

std::span<const FunctionEntry> aggregate_functions() {
  static const std::array kAll = {
      FunctionEntry{"sum", "x", "The sum; NULL without any", true,
                    [](sqlite3* to, QueryData&) { return add_window<SumOf>(to, "sum", 1); }},
      FunctionEntry{"total", "x", "The sum as a number with decimals; 0 without any", true,
                    [](sqlite3* to, QueryData&) { return add_window<TotalOf>(to, "total", 1); }},
      FunctionEntry{"avg", "x", "The mean", true,
                    [](sqlite3* to, QueryData&) { return add_window<AverageOf>(to, "avg", 1); }},
      FunctionEntry{"percentile", "x, p",
                    "The smallest value that p percent do not exceed: one that occurs", true,
                    [](sqlite3* to, QueryData&) {
                      return add_window<Percentile<false>>(to, "percentile", 2);
                    }},
      FunctionEntry{
          "median", "x", "percentile(x, 50)", true,
          [](sqlite3* to, QueryData&) { return add_window<Percentile<true>>(to, "median", 1); }},
      FunctionEntry{"covered", "ts, dur", "Length of the union of intervals", true,
                    [](sqlite3* to, QueryData&) {
                      return sqlite3_create_function_v2(to, "covered", 2, kFlags, nullptr, nullptr,
                                                        step<Covered>, final_value<Covered>,
                                                        nullptr);
                    }},
      FunctionEntry{
          "stddev", "x", "Standard deviation of a sample", true,
          [](sqlite3* to, QueryData&) { return add_window<Deviation>(to, "stddev", 1); }}};
  return kAll;
}

}  // namespace cinderscope
