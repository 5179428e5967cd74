// A comparison as JSON, text tables or text: for the sub-command, `state` and files that the
// window saves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/json/json_writer.h"
#include "ingest/compare/comparison.h"
#include "ingest/compare/conditions.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

struct ComparisonOutput {
  const ComparedSides& sides;
  const Comparison& comparison;
  const NameRules& rules;
  std::span<const std::uint32_t> rows;  // of the comparison, in the order wanted
  std::span<const FailedCondition> failed = {};
  std::string_view weight = "time";
};

// The whole object of `compare --json`.
void write_comparison(JsonWriter& out, const ComparisonOutput& of);
// One row, as in "names"; the number of all rows by verdict, as in "counts".
void write_compared_row(JsonWriter& out, const ComparisonOutput& of, std::uint32_t row);
void write_verdict_counts(JsonWriter& out, const Comparison& comparison);

// The rows as a table to take away; comparison_table() is its whole text.
TakenTable taken_comparison(std::shared_ptr<const ComparedSides> sides,
                            std::shared_ptr<const Comparison> comparison,
                            std::vector<std::uint32_t> rows, TableText form);
std::string comparison_table(const ComparisonOutput& of, TableForm form);
// What people read: heading, table, what there was in all.
std::string comparison_markdown(const ComparisonOutput& of);
std::string comparison_text(const ComparisonOutput& of);

// Cells as people read them: "412.1 ms", "+5.00 ms", "+13.1 %", "×12.3", "+9.8 … +16.5 %".
std::string value_text(const ComparedSides& sides, const Comparison& comparison, double value);
std::string difference_text(const ComparedSides& sides, const Comparison& comparison,
                            double difference);
std::string change_text(const std::optional<double>& change);
// Of new and gone names: "in all of B", "in 3 of 5 of B".
std::string interval_text(const ComparedSides& sides, const ComparedRow& row);
std::string verdict_text(const Comparison& comparison, Verdict verdict);  // "more?"
// "443", "170 → 0"
std::string calls_text(const ComparedSides& sides, std::uint32_t name);
// "page_before.json, 5 runs"
std::string side_title(const ComparedSides& sides, Side side);
// "failed: total(RenderFrame)>+5%: 412.1 ms → 466.0 ms, +13.1 % (+9.8 … +16.5 %)"
std::string failed_sentence(const ComparedSides& sides, const Comparison& comparison,
                            const FailedCondition& failed);

}  // namespace cinderscope
