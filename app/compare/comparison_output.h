// A comparison as JSON, CSV, Markdown or text: for the sub-command, `state` and files that the
// window saves.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ingest/base/json_writer.h"
#include "ingest/compare/comparison.h"
#include "ingest/compare/conditions.h"

namespace cinderscope {

struct ComparisonOutput {
  const ComparedSides& sides;
  const Comparison& comparison;
  const NameRules& rules;
  std::span<const std::uint32_t> rows;  // of the comparison, in the order wanted
  std::span<const FailedCondition> failed = {};
  std::string weight = "time";
};

// The whole object of `compare --json`.
void write_comparison(JsonWriter& out, const ComparisonOutput& of);
// One row, as in "names".
void write_compared_row(JsonWriter& out, const ComparisonOutput& of, std::uint32_t row);
std::string comparison_csv(const ComparisonOutput& of, char separator = ',');
std::string comparison_markdown(const ComparisonOutput& of);
std::string comparison_text(const ComparisonOutput& of);

}  // namespace cinderscope
