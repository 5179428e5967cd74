// Statistics by name as a table: its columns, their order and filter, and as text to take away. No
// ImGui.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/totals/slice_statistics.h"
#include "render/tables/table_text.h"

namespace cinderscope {

enum class StatisticsColumn : std::uint8_t {
  name,
  count,
  total,
  self,
  mean,
  median,
  p90,
  p99,
  min,
  max,
  share,
};
inline constexpr std::size_t kStatisticsColumns = 11;

std::string_view key_of(StatisticsColumn column);  // "p90": in commands, CSV and JSON
std::optional<StatisticsColumn> statistics_column(std::string_view key);

struct StatisticsOrder {
  StatisticsColumn column = StatisticsColumn::total;
  bool descending = true;
  std::string filter;  // names or labels that contain it; ASCII letters of either case
  bool operator==(const StatisticsOrder&) const = default;
};
// What a click on a column's head asks for: names from A, numbers from the largest.
StatisticsOrder sorted_by(const StatisticsOrder& order, StatisticsColumn column);

// The cell's number; shares in hundredths of a percent. 0 for the name.
std::int64_t number_in(const SliceStatistics& statistics, const NameStatistics& name,
                       StatisticsColumn column);

// Indices into statistics.names; equal ones by name. Any thread.
std::vector<std::uint32_t> rows_in_order(const SliceStatistics& statistics, const StringPool& names,
                                         const StatisticsOrder& order,
                                         const std::atomic<bool>* cancelled = nullptr);

// Text with a head line and a line for each row. Times are whole numbers in the axis' unit, shares
// percent with two decimals; two columns more tell how many calls never ended, and what `info`
// calls total (durations of finished calls added up, recursive ones each for themselves).
std::string table_text(const SliceStatistics& statistics, const StringPool& names,
                       std::span<const std::uint32_t> rows, TableText form);

// "(no name)" for the empty one; always UTF-8.
std::string name_text(const StringPool& names, StringId name);
std::string label_text(const StringPool& names, StringId name);  // the shorter form for people

}  // namespace cinderscope
