// The table of names of a comparison: its columns, cells, sorting and filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/comparison.h"
#include "render/tables/table_column.h"

namespace cinderscope {

enum class ComparedField : std::uint8_t {
  name,
  calls,
  a,
  b,
  difference,
  change,
  interval,
  verdict,
  mean_a,
  mean_b,
  median_a,
  median_b,
  p90_a,
  p90_b,
  p99_a,
  p99_b,
  min_a,
  min_b,
  max_a,
  max_b,
  total_a,
  total_b,
  p,
  chance,
  merged,
};
inline constexpr std::size_t kComparedFields = 25;
inline constexpr std::size_t kUsualFields = 8;  // the first ones are shown unless more is asked for

// The head of a column for what is compared: "Self A", "Total A".
TableColumn compared_column(ComparedField field, const Comparison& comparison);
std::string_view key_of(ComparedField field);  // of commands
std::optional<ComparedField> compared_field(std::string_view key);

struct ComparedOrder {
  ComparedField field = ComparedField::difference;
  bool descending = true;
  std::uint32_t wanted = 0;  // a bit for each verdict; 0: all but small
  std::string filter;        // words, /expression/, -word
  bool operator==(const ComparedOrder&) const = default;
};
inline constexpr std::uint32_t bit_of(Verdict verdict) {
  return 1U << static_cast<unsigned>(verdict);
}

// The longest text that the Calls of these rows may have: a width that stays while they scroll.
std::string longest_calls(const ComparedSides& sides, const Comparison& comparison,
                          std::span<const std::uint32_t> rows);

// Indices of rows. An Error: the filter's expression is wrong.
Result<std::vector<std::uint32_t>> compared_rows(const ComparedSides& sides,
                                                 const Comparison& comparison,
                                                 const ComparedOrder& order);

std::string compared_cell(const ComparedSides& sides, const Comparison& comparison,
                          const ComparedRow& row, ComparedField field);
// "more ▲", "less? ▼", "new"
std::string shown_verdict(const Comparison& comparison, Verdict verdict);
// What is merged in the row and what is odd about it; may be empty.
std::string compared_row_help(const ComparedSides& sides, const ComparedRow& row);

}  // namespace cinderscope
