#include "app/output/statistics_json.h"

#include <algorithm>

#include "app/questions/scope_json.h"
#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

constexpr std::size_t kRows = 10;

}  // namespace

void write_row(JsonWriter& out, const ValueTable& table, std::uint32_t row) {
  out.begin_object();
  for (const ValueColumn& column : table.columns) {
    if (column.head.kind == CellKind::text) {
      out.field(column.head.key, valid_utf8(text_in(table, column, row)));
    } else if (column.head.kind == CellKind::percent) {
      out.field(column.head.key, percent_in(column, row));
    } else {
      out.field(column.head.key, column.numbers[row]);
    }
  }
  out.end_object();
}

void write_range_rows(JsonWriter& out, const ValueTable& range) {
  out.begin_array();
  for (std::uint32_t row = 0; row < std::min(range.row_count, kRows); ++row) {
    write_row(out, range, row);
  }
  out.end_array();
}

void write_statistics(JsonWriter& out, const StatisticsFacts& facts) {
  if (facts.table == nullptr) {
    out.null();
    return;
  }
  const SliceStatistics& statistics = *facts.statistics;
  out.begin_object().field("scope", word_of(facts.scope)).field("thread", facts.thread);
  out.key("measured");
  write_scope(out, statistics.query.scope);
  out.field("whole_calls", statistics.query.whole_calls);
  out.field("begin", statistics.begin_ns).field("end", statistics.end_ns);
  out.field("calls", statistics.call_count).field("names", statistics.names.size());
  out.field("sort", facts.table->columns[facts.order.column].head.key);
  out.field("descending", facts.order.descending);
  out.field("filter", facts.order.filter).field("shown", facts.rows.size());
  out.key("rows").begin_array();
  for (std::size_t i = 0; i < std::min(facts.rows.size(), kRows); ++i) {
    write_row(out, *facts.table, facts.rows[i]);
  }
  out.end_array().end_object();
}

}  // namespace cinderscope
