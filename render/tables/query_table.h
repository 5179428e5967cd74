// Rows that a query gave, as a table: how each column is shown, and what its rows name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ingest/sql/query_run.h"
#include "ingest/sql/slice_numbers.h"
#include "render/tables/value_table.h"

namespace cinderscope {

// A slice or instant of one of the traces, as a cell named it when it was read. `hash` is its
// name's, for the colour.
struct NamedPlace {
  std::uint32_t input = 0;
  SliceRef slice;      // falsy: it is an instant, or there is none of that number
  InstantRef instant;  // the same
  std::int64_t begin_ns = 0;
  StringId name = kNoName;  // in the timeline's strings
  std::uint32_t hash = 0;
  explicit operator bool() const { return slice || instant; }
};

// How a column is shown: by its declared type or its name, unless somebody chose.
enum class ShownAs : std::uint8_t { time, duration, number, text, slice, instant };
std::string_view word_of(ShownAs shown);
std::optional<ShownAs> shown_as(std::string_view word);

// The answer of one statement. Immutable once it is made; any thread.
struct QueryTable {
  std::vector<QueryColumn> columns;  // as declared
  std::vector<ShownAs> shown;        // column by column
  std::shared_ptr<const ValueTable> values;
  // Of columns of slices and instants, row by row; empty for all others.
  std::vector<std::vector<NamedPlace>> places;
  std::size_t statement = 0;
  bool more = false;  // there are further rows
  std::uint64_t bytes = 0;
};

inline constexpr std::uint64_t kMostKeptRows = 100'000, kMostKeptBytes = 256 << 20;

// Keeps the rows of each statement; call take() once the run is over. On one thread.
class QueryRows : public QuerySink {
 public:
  explicit QueryRows(std::uint64_t most_rows = kMostKeptRows,
                     std::uint64_t most_bytes = kMostKeptBytes)
      : most_rows_(most_rows), most_bytes_(most_bytes) {}

  void begin(std::size_t statement, std::span<const QueryColumn> columns) override;
  bool row(std::span<const QueryCell> cells) override;

  // The tables so far, with what their cells name in the database's traces.
  std::vector<std::shared_ptr<const QueryTable>> take(const QueryDatabase& database);

 private:
  using Kept = std::variant<std::monostate, std::int64_t, double, StringId>;
  struct Rows {
    std::vector<QueryColumn> columns;
    std::vector<Kept> cells;  // row by row
    std::size_t count = 0, statement = 0;
    bool more = false;
    std::uint64_t bytes = 0;
    std::shared_ptr<StringPool> strings = std::make_shared<StringPool>();
    StringId null_text = kNoName;
  };
  static std::shared_ptr<QueryTable> table_of(const Rows& rows);
  static ValueColumn column_of(const Rows& rows, std::size_t column);

  std::uint64_t most_rows_, most_bytes_, bytes_ = 0;
  std::vector<Rows> all_;
};

// The same with one column shown in another way. Null where its cells cannot be shown so.
std::shared_ptr<const QueryTable> shown_otherwise(const QueryTable& table, std::size_t column,
                                                  ShownAs shown);

// Sum, mean and percentiles of a column of numbers, over `rows`; nullopt: it has none.
struct ColumnSummary {
  std::uint64_t count = 0;
  double sum = 0, mean = 0, least = 0, median = 0, p90 = 0, p99 = 0, most = 0;
};
std::optional<ColumnSummary> summary_of(const ValueTable& table, std::size_t column,
                                        std::span<const std::uint32_t> rows);

}  // namespace cinderscope
