// The parameters of name_stat and call_tree, and what they choose of each trace.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/sql/functions/table_function.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// The hidden columns, in their order.
std::vector<SqlColumn> statistics_parameters();

// What is measured of one trace.
struct StatisticsPart {
  std::int64_t trace = 0;  // trace_id
  std::uint32_t input = 0;
  StatisticsQuery query;
  bool operator==(const StatisticsPart&) const = default;
};
struct StatisticsParts {
  std::vector<StatisticsPart> parts;
  CallWeight weight = CallWeight::time;
};
// An Error names the parameter that is wrong.
Result<StatisticsParts> statistics_parts(const QueryData& data, const Arguments& arguments);

// Statistics as they were asked for, so that inner loops of a join work out each once. Where the
// run brings no totals and ranges of a trace are asked for again and again, they are worked out in
// advance.
class KeptStatistics {
 public:
  explicit KeptStatistics(const QueryData& data) : data_(data) {}
  // Incomplete once the run is stopped.
  std::shared_ptr<const SliceStatistics> of(const StatisticsPart& part);

 private:
  const PrecomputedTotals* totals_for(const StatisticsPart& part);

  static constexpr std::size_t kMostKept = 16;
  static constexpr unsigned kRangesBeforeTotals = 2;
  static constexpr std::uint64_t kMostTotalsBytes = 16 << 20;
  struct Kept {
    StatisticsPart part;
    std::shared_ptr<const SliceStatistics> statistics;
  };
  struct OfInput {
    unsigned ranges = 0;
    bool tried = false;
    std::shared_ptr<const PrecomputedTotals> totals;
  };
  const QueryData& data_;
  std::vector<Kept> kept_;  // the one asked for last at the end
  std::vector<OfInput> inputs_;
};

}  // namespace cinderscope
