#include "render/tables/statistics_table.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cinderscope {
namespace {

constexpr float kNumberPx = 86, kDurationPx = 104;

template <std::int64_t NameStatistics::*kMember>
std::int64_t time_of(const NameStatistics& name) {
  return name.*kMember;
}

template <std::uint64_t NameStatistics::*kMember>
std::int64_t count_of(const NameStatistics& name) {
  return static_cast<std::int64_t>(name.*kMember);
}

constexpr std::string_view kCountKey = "count";

std::vector<StatisticsColumn> make_columns() {
  using Name = NameStatistics;
  using enum CellKind;
  std::vector<StatisticsColumn> columns = {
      {{.title = "Name",
        .key = "name",
        .help = "What was called",
        .width_px = 170,
        .grows = true,
        .names = true,
        .if_empty = "(no name)"}},
      {{.title = "Count",
        .key = std::string(kCountKey),
        .help = "How many calls; those inside calls of their own name count, too",
        .kind = number},
       count_of<&Name::count>},
      {{.title = "Total",
        .key = "total",
        .help = "Time during which a call of this name went on, over all threads; recursion once",
        .kind = duration,
        .bar = true},
       time_of<&Name::total_ns>},
      {{.title = "Self",
        .key = "self",
        .help = "Time in these calls that no call inside them covers",
        .kind = duration},
       time_of<&Name::self_ns>},
      {{.title = "Mean", .key = "mean", .help = "Mean duration of a call", .kind = duration},
       [](const Name& name) { return name.mean_ns(); }},
      {{.title = "Median",
        .key = "median",
        .help = "Half of the calls take at most this long",
        .kind = duration},
       time_of<&Name::median_ns>,
       true},
      {{.title = "p90",
        .key = "p90",
        .help = "90 % of the calls take at most this long",
        .kind = duration},
       time_of<&Name::p90_ns>,
       true},
      {{.title = "p99",
        .key = "p99",
        .help = "99 % of the calls take at most this long",
        .kind = duration},
       time_of<&Name::p99_ns>,
       true},
      {{.title = "Min", .key = "min", .help = "The shortest call", .kind = duration},
       time_of<&Name::min_ns>},
      {{.title = "Max",
        .key = "max",
        .help = "The longest call; a click on a row shows it",
        .kind = duration},
       time_of<&Name::max_ns>},
      {{.title = "Share",
        .key = "share",
        .help = "Total in percent of the time measured; with several threads it may exceed 100",
        .kind = percent},
       time_of<&Name::total_ns>},
      {{.title = "Unfinished",
        .key = "unfinished",
        .help = "How many calls never ended",
        .kind = number,
        .hidden = true},
       count_of<&Name::unfinished_count>},
      {{.title = "Total of info",
        .key = "info_total",
        .help = "Durations of finished calls added up, recursive ones each for themselves",
        .kind = duration,
        .hidden = true},
       time_of<&Name::finished_sum_ns>},
      {{.title = "Cut",
        .key = "cut",
        .help = "How many calls were cut when a part of a trace was saved",
        .kind = number,
        .hidden = true},
       count_of<&Name::cut_count>}};
  for (StatisticsColumn& column : columns) {
    if (column.number == nullptr) continue;
    column.head.width_px = column.head.kind == CellKind::duration ? kDurationPx : kNumberPx;
  }
  return columns;
}

}  // namespace

std::span<const StatisticsColumn> statistics_columns() {
  static const std::vector<StatisticsColumn> columns = make_columns();
  return columns;
}

std::optional<std::size_t> statistics_column(std::string_view key) {
  const auto columns = statistics_columns();
  const auto found = std::ranges::find(columns, key, [](const StatisticsColumn& column) {
    return std::string_view(column.head.key);
  });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

TableOrder first_statistics_order() {
  return {.column = statistics_column("total").value_or(0), .descending = true};
}

std::shared_ptr<const ValueTable> statistics_table(const SliceStatistics& statistics,
                                                   std::shared_ptr<const StringPool> names,
                                                   bool of_runs) {
  const bool runs = of_runs || statistics.query.scope.slices == SlicesOf::samples;
  auto table = std::make_shared<ValueTable>();
  table->strings = std::move(names);
  table->row_count = statistics.names.size();
  for (const NameStatistics& name : statistics.names) table->slices.push_back(name.longest);
  for (const StatisticsColumn& column : statistics_columns()) {
    ValueColumn& out = table->columns.emplace_back();
    out.head = column.head;
    if (runs && column.head.key == kCountKey) {
      out.head.title = "Runs";
      out.head.help = "How many runs of samples; those inside runs of their own name count, too";
    }
    out.pending = column.is_rank && !statistics.ranks_known;
    if (column.head.kind == CellKind::percent) out.whole = statistics.length_ns();
    for (const NameStatistics& name : statistics.names) {
      if (column.number == nullptr) {
        out.texts.push_back(name.name);
      } else {
        out.numbers.push_back(column.number(name));
      }
    }
  }
  finish_columns(*table);
  return table;
}

}  // namespace cinderscope
