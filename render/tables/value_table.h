// A table of texts and numbers column by column: its order, its filter, and its text.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/string_pool.h"
#include "ingest/model/timeline.h"
#include "render/tables/table_text.h"

namespace cinderscope {

enum class CellKind : std::uint8_t {
  text,
  number,
  duration,  // in the axis' unit
  place,     // on the axis, as the trace's begin is
};

inline constexpr std::int64_t kNoNumber = INT64_MIN;  // the row has none

struct ValueColumn {
  std::string name;  // for people
  std::string unit;  // of all its numbers, e.g. "bytes"
  CellKind kind = CellKind::text;
  std::vector<std::int64_t> numbers;  // of numbers, durations and places
  std::vector<StringId> texts;        // of texts
};

// Columns are as long as the table. Written by one thread, then read by any.
struct ValueTable {
  std::vector<ValueColumn> columns;
  std::shared_ptr<StringPool> strings = std::make_shared<StringPool>();
  std::vector<SliceRef> slices;  // what each row stands for; empty: rows stand for nothing
  std::size_t row_count = 0;
  std::uint64_t left_out = 0;     // rows that it would have too
  bool columns_left_out = false;  // there would be more of them, too
};

struct ValueOrder {
  std::size_t column = 0;
  bool descending = false;
  std::string filter;
  bool operator==(const ValueOrder&) const = default;
};
// What a click on a column's head asks for: texts from A, numbers from the largest.
ValueOrder sorted_by(const ValueTable& table, const ValueOrder& order, std::size_t column);

// The column of that name, blanks and other signs and the case of letters apart, or the only one
// whose name begins so.
std::optional<std::size_t> column_named(const ValueTable& table, std::string_view name);

// A filter, taken apart: words that some text of the row contains, and `name > value` with <, <=,
// >, >= or =. Values of durations may have units (5ms); a row without the value is not shown.
struct ValueFilter {
  struct Bound {
    std::size_t column = 0;
    double low = 0, high = 0;
    bool low_open = false, high_open = false;
    std::string text;  // of text columns: is in it
  };
  std::vector<std::string> words;  // in lower case
  std::vector<Bound> bounds;
};
// An Error says which part cannot be meant.
Result<ValueFilter> value_filter(const ValueTable& table, std::string_view text);

// Rows that the filter lets through; equal ones by their number. Any thread.
std::vector<std::uint32_t> rows_in_order(const ValueTable& table, const ValueOrder& order,
                                         const ValueFilter& filter,
                                         const std::atomic<bool>* cancelled = nullptr);

// Of a column of texts; empty for all others.
std::string_view text_in(const ValueTable& table, const ValueColumn& column, std::uint32_t row);

// A head line and a line for each row; numbers plain, in the axis' unit.
std::string table_text(const ValueTable& table, std::span<const std::uint32_t> rows,
                       TableText form);

}  // namespace cinderscope
