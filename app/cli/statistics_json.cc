#include "app/cli/statistics_json.h"

#include <algorithm>

namespace cinderscope {

namespace {

constexpr std::size_t kRows = 10;

}  // namespace

void write_statistics_row(JsonWriter& out, const SliceStatistics& statistics,
                          const NameStatistics& name, const StringPool& names) {
  out.begin_object().field("name", name_text(names, name.name));
  for (std::size_t c = 1; c < kStatisticsColumns; ++c) {
    const auto column = static_cast<StatisticsColumn>(c);
    if (column == StatisticsColumn::share) {
      out.field(key_of(column), share_percent(statistics, name));
    } else {
      out.field(key_of(column), number_in(statistics, name, column));
    }
  }
  out.field("unfinished", name.unfinished_count);
  out.field("info_total", name.finished_sum_ns).end_object();
}

void write_range_rows(JsonWriter& out, const SliceStatistics& range, const StringPool& names) {
  out.begin_array();
  for (std::size_t i = 0; i < std::min(range.names.size(), kRows); ++i) {
    write_statistics_row(out, range, range.names[i], names);
  }
  out.end_array();
}

void write_statistics(JsonWriter& out, const StatisticsFacts& facts, const StringPool& names) {
  if (facts.table == nullptr) {
    out.null();
    return;
  }
  const SliceStatistics& table = *facts.table;
  out.begin_object().field("scope", facts.scope).field("thread", facts.thread);
  out.field("whole_calls", table.query.whole_calls);
  out.field("begin", table.begin_ns).field("end", table.end_ns);
  out.field("calls", table.call_count).field("names", table.names.size());
  out.field("sort", key_of(facts.order.column)).field("descending", facts.order.descending);
  out.field("filter", facts.order.filter).field("shown", facts.rows.size());
  out.key("rows").begin_array();
  for (std::size_t i = 0; i < std::min(facts.rows.size(), kRows); ++i) {
    write_statistics_row(out, table, table.names[facts.rows[i]], names);
  }
  out.end_array().end_object();
}

}  // namespace cinderscope
