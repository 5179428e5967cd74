// The model of all tables: texts and numbers column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/string_pool.h"
#include "ingest/model/timeline.h"
#include "render/tables/table_column.h"
#include "render/text/time_text.h"

namespace cinderscope {

struct ValueColumn {
  TableColumn head;
  std::vector<std::int64_t> numbers = {};  // of every kind but text
  std::vector<StringId> texts = {};        // of texts
  // Of kind real, where NaN is no value; of durations that were read with fractions, which their
  // numbers lack.
  std::vector<double> reals = {};
  std::int64_t whole = 0;    // of percentages: 100 %
  std::int64_t largest = 0;  // number: for the bar, and the unit of durations
  bool pending = false;      // its numbers are still to come
};

// Columns are as long as the table. Written by one thread, then read by any.
struct ValueTable {
  std::vector<ValueColumn> columns;
  std::shared_ptr<const StringPool> strings;  // what the texts mean
  // Stands for a text that is not there; kNoName: empty texts do.
  StringId null_text = kNoName;
  std::vector<SliceRef> slices;  // what each row stands for; empty: rows stand for nothing
  std::size_t row_count = 0;
  std::uint64_t left_out = 0;     // rows that did not fit
  bool columns_left_out = false;  // some columns did not fit
};

// Sets what all rows of a column decide together; of a table whose numbers are all there.
void finish_columns(ValueTable& table);

// The column of that key, else of that title, other signs and the case of letters apart, or the
// only one whose title begins so.
std::optional<std::size_t> column_named(const ValueTable& table, std::string_view name);

// Of text columns, as it was read; empty for all others.
std::string_view text_in(const ValueTable& table, const ValueColumn& column, std::uint32_t row);
double percent_in(const ValueColumn& column, std::uint32_t row);

// Neither a number nor a text is there.
bool is_null(const ValueTable& table, const ValueColumn& column, std::uint32_t row);

// Six significant digits, but all of those before the point.
std::string real_text(double number);

// A cell as people read it: a label, "5.000 ms", "12.5 %"; empty without a value. Texts are cut.
std::string cell_text(const ValueTable& table, const ValueColumn& column, std::uint32_t row,
                      const TimestampFormat& format);

}  // namespace cinderscope
