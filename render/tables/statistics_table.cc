#include "render/tables/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ingest/base/utf8.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

namespace {

constexpr std::array<std::string_view, kStatisticsColumns> kKeys = {
    "name", "count", "total", "self", "mean", "median", "p90", "p99", "min", "max", "share"};

std::string_view shown_name(const StringPool& names, StringId name) {
  const std::string_view text = names.text(name);
  return text.empty() ? std::string_view("(no name)") : text;
}

}  // namespace

std::string_view key_of(StatisticsColumn column) {
  return kKeys[static_cast<std::size_t>(column)];
}

std::optional<StatisticsColumn> statistics_column(std::string_view key) {
  const auto found = std::find(kKeys.begin(), kKeys.end(), key);
  if (found == kKeys.end()) return std::nullopt;
  return static_cast<StatisticsColumn>(found - kKeys.begin());
}

StatisticsOrder sorted_by(const StatisticsOrder& order, StatisticsColumn column) {
  StatisticsOrder next = order;
  next.descending = order.column == column ? !order.descending : column != StatisticsColumn::name;
  next.column = column;
  return next;
}

std::int64_t number_in(const SliceStatistics& statistics, const NameStatistics& name,
                       StatisticsColumn column) {
  switch (column) {
    case StatisticsColumn::name:
      return 0;
    case StatisticsColumn::count:
      return static_cast<std::int64_t>(name.count);
    case StatisticsColumn::total:
      return name.total_ns;
    case StatisticsColumn::self:
      return name.self_ns;
    case StatisticsColumn::mean:
      return name.mean_ns();
    case StatisticsColumn::median:
      return name.median_ns;
    case StatisticsColumn::p90:
      return name.p90_ns;
    case StatisticsColumn::p99:
      return name.p99_ns;
    case StatisticsColumn::min:
      return name.min_ns;
    case StatisticsColumn::max:
      return name.max_ns;
    case StatisticsColumn::share:
      return std::llround(std::min(share_percent(statistics, name) * 100, 9e18));
  }
  return 0;
}

std::vector<std::uint32_t> rows_in_order(const SliceStatistics& statistics, const StringPool& names,
                                         const StatisticsOrder& order,
                                         const std::atomic<bool>* cancelled) {
  struct Row {
    std::int64_t number;
    std::uint32_t index;
  };
  const std::string part = lower_ascii(order.filter);
  // Shares go as totals do, without their rounding.
  const StatisticsColumn by =
      order.column == StatisticsColumn::share ? StatisticsColumn::total : order.column;
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < statistics.names.size() && !is_set(cancelled); ++i) {
    const NameStatistics& name = statistics.names[i];
    if (!part.empty() && !contains_text(shown_name(names, name.name), part) &&
        !contains_text(names.label(name.name), part)) {
      continue;
    }
    rows.push_back({number_in(statistics, name, by), i});
  }
  const bool descending = order.descending;
  const bool by_name = by == StatisticsColumn::name;
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (a.number != b.number) return descending ? a.number > b.number : a.number < b.number;
    const int names_differ = shown_name(names, statistics.names[a.index].name)
                                 .compare(shown_name(names, statistics.names[b.index].name));
    if (names_differ == 0) return a.index < b.index;
    return by_name && descending ? names_differ > 0 : names_differ < 0;
  });
  std::vector<std::uint32_t> indices;
  indices.reserve(rows.size());
  for (const Row& row : rows) indices.push_back(row.index);
  return indices;
}

std::string table_text(const SliceStatistics& statistics, const StringPool& names,
                       std::span<const std::uint32_t> rows, TableText form) {
  const char separator = field_separator(form);
  std::string out;
  for (const std::string_view key : kKeys) (out += key) += separator;
  ((((out += "unfinished") += separator) += "info_total") += line_end(form));
  for (const std::uint32_t row : rows) {
    const NameStatistics& name = statistics.names[row];
    append_field(out, name_text(names, name.name), form);
    for (std::size_t c = 1; c < kStatisticsColumns; ++c) {
      const auto column = static_cast<StatisticsColumn>(c);
      if (column == StatisticsColumn::share) {
        fmt::format_to(std::back_inserter(out), "{}{:.2f}", separator,
                       share_percent(statistics, name));
      } else {
        fmt::format_to(std::back_inserter(out), "{}{}", separator,
                       number_in(statistics, name, column));
      }
    }
    fmt::format_to(std::back_inserter(out), "{0}{1}{0}{2}{3}", separator, name.unfinished_count,
                   name.finished_sum_ns, line_end(form));
  }
  return out;
}

std::string label_text(const StringPool& names, StringId name) {
  const std::string_view label = names.label(name);
  return label.empty() ? name_text(names, name) : valid_utf8(label);
}

std::string name_text(const StringPool& names, StringId name) {
  return valid_utf8(shown_name(names, name));
}

}  // namespace cinderscope
