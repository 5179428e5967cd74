// Statistics by name as a table: one row of statistics_columns() is all that a column is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "ingest/totals/slice_statistics.h"
#include "render/tables/table_order.h"
#include "render/tables/value_table.h"

namespace cinderscope {

struct StatisticsColumn {
  TableColumn head;  // its key is that of `stats --sort` and the command sort-statistics, too
  std::int64_t (*number)(const NameStatistics&) = nullptr;  // null: the name
  bool is_rank = false;  // known only once all durations were looked at
};
std::span<const StatisticsColumn> statistics_columns();
std::optional<std::size_t> statistics_column(std::string_view key);

TableOrder first_statistics_order();  // by total, the longest first

// A row for each of `statistics.names`, in their order; its slice is the longest call. `of_runs`:
// what was counted are no calls (counts_runs()), as on tracks of samples.
std::shared_ptr<const ValueTable> statistics_table(const SliceStatistics& statistics,
                                                   std::shared_ptr<const StringPool> names,
                                                   bool of_runs = false);

}  // namespace cinderscope
