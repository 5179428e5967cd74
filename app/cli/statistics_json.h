// The statistics in the `state` of --play.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/base/json_writer.h"
#include "render/tables/statistics_table.h"

namespace cinderscope {

struct StatisticsFacts {
  std::shared_ptr<const SliceStatistics> range;  // of the selected range; null: there is none
  // The table; null until the panel was opened.
  std::shared_ptr<const SliceStatistics> table;
  std::vector<std::uint32_t> rows;
  StatisticsOrder order;
  std::string scope, thread;  // "trace", "thread" or "range"; whose thread, if only one is measured
};

// The first ten names by total, as an array.
void write_range_rows(JsonWriter& out, const SliceStatistics& range, const StringPool& names);

// The table's scope, order and first ten rows; `null` while there is no table.
void write_statistics(JsonWriter& out, const StatisticsFacts& facts, const StringPool& names);

// The members of one row: name, then each column by its key.
void write_statistics_row(JsonWriter& out, const SliceStatistics& statistics,
                          const NameStatistics& name, const StringPool& names);

}  // namespace cinderscope
