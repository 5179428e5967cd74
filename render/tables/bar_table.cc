#include "render/tables/bar_table.h"

#include <string_view>
#include <utility>
#include <vector>

#include "render/text/time_text.h"

namespace cinderscope {
namespace {

// `counts` writes what a bar has in it.
template <class Bar, class Counts>
TakenTable taken(const std::vector<Bar>& bars, std::vector<TextColumn>&& columns, TimeAxis axis,
                 Counts counts) {
  TakenTable table{.word = "histogram", .columns = std::move(columns), .row_count = bars.size()};
  table.write_row = [bars, axis, counts](std::uint64_t row, TableWriter& out) {
    const Bar& bar = bars[row];
    for (const std::int64_t ns : {bar.shortest_ns, bar.longest_ns}) {
      out.for_people() ? out.shown(duration_text(ns, axis)) : out.number(ns);
    }
    counts(bar, out);
  };
  return table;
}

TextColumn number_column(std::string_view key, std::string_view title) {
  return {.key = std::string(key), .title = std::string(title), .numbers = true};
}

void write_count(std::uint64_t count, TableWriter& out) {
  out.for_people() ? out.shown(count_text(count)) : out.count(count);
}

}  // namespace

TakenTable taken_bars(const DurationHistogram& histogram, TimeAxis axis) {
  return taken(
      histogram.log_bars,
      {number_column("from", "From"), number_column("to", "To"), number_column("count", "Count")},
      axis, [](const DurationBar& bar, TableWriter& out) { write_count(bar.count, out); });
}

TakenTable taken_bars(const ComparedHistogram& histogram, TimeAxis axis) {
  return taken(histogram.bars,
               {number_column("from", "From"), number_column("to", "To"),
                number_column("count_a", "Count A"), number_column("count_b", "Count B")},
               axis, [](const ComparedBar& bar, TableWriter& out) {
                 for (const Side side : {side_a, side_b}) write_count(bar.count[side], out);
               });
}

}  // namespace cinderscope
