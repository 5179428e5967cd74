// The statistics as JSON: rows for `stats --json`, the table for the `state` of --play.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/base/json/json_writer.h"
#include "render/base/scope_choice.h"
#include "render/tables/statistics_table.h"

namespace cinderscope {

struct StatisticsFacts {
  std::shared_ptr<const ValueTable> range;  // of the selected range; null: there is none
  // What the panel shows; null until it was opened.
  std::shared_ptr<const SliceStatistics> statistics;
  std::shared_ptr<const ValueTable> table;  // of these
  std::vector<std::uint32_t> rows;
  TableOrder order;
  ScopeChoice scope = ScopeChoice::trace;
  std::string thread;  // the measured one; empty: all threads
};

// The first ten names by total, as an array.
void write_range_rows(JsonWriter& out, const ValueTable& range);

// The table's scope, order and first ten rows; `null` while there is no table.
void write_statistics(JsonWriter& out, const StatisticsFacts& facts);

// An object with a member for each column, by its key.
void write_row(JsonWriter& out, const ValueTable& table, std::uint32_t row);

}  // namespace cinderscope
