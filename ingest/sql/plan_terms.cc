#include "ingest/sql/plan_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/sql/number_type.h"

namespace cinderscope {

namespace {

// A text that reads as a number is one.
NumberOperand operand_of(sqlite3_value* value) {
  using Kind = NumberOperand::Kind;
  switch (number_type(value)) {
    case SQLITE_NULL:
      return {Kind::null};
    case SQLITE_INTEGER:
      return {Kind::integer, sqlite3_value_int64(value)};
    case SQLITE_FLOAT:
      return {Kind::real, 0, sqlite3_value_double(value)};
    default:
      return {Kind::above_all};
  }
}

}  // namespace

NumberSet numbers_of(const PlanTerm& term, sqlite3_value* value) {
  if (term.list) {
    std::vector<std::int64_t> wanted;
    for_values(value, [&](sqlite3_value* each) {
      const NumberSet one = numbers_equal(operand_of(each));
      if (!one.empty()) wanted.push_back(one.first());
    });
    return NumberSet::of_all(std::move(wanted));
  }
  const NumberOperand operand = operand_of(value);
  switch (term.op) {
    case SQLITE_INDEX_CONSTRAINT_LT:
      return numbers_up_to(operand, false);
    case SQLITE_INDEX_CONSTRAINT_LE:
      return numbers_up_to(operand, true);
    case SQLITE_INDEX_CONSTRAINT_GT:
      return numbers_above(operand, false);
    case SQLITE_INDEX_CONSTRAINT_GE:
      return numbers_above(operand, true);
    default:
      return numbers_equal(operand);
  }
}

void PlanWriter::take(int i, bool done) {
  const auto& constraint = info_.aConstraint[i];
  info_.aConstraintUsage[i].argvIndex = ++arguments_;
  info_.aConstraintUsage[i].omit = done ? 1 : 0;
  const bool list =
      constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && sqlite3_vtab_in(&info_, i, 1) != 0;
  terms_ +=
      fmt::format(" {}={}{}", constraint.iColumn, static_cast<int>(constraint.op), list ? "i" : "");
}

void PlanWriter::take_one(int i) {
  info_.aConstraintUsage[i].argvIndex = ++arguments_;
  info_.aConstraintUsage[i].omit = 1;
  terms_ += fmt::format(" {}={}", info_.aConstraint[i].iColumn,
                        static_cast<int>(info_.aConstraint[i].op));
}

void PlanWriter::take_limit(int i) {
  info_.aConstraintUsage[i].argvIndex = ++arguments_;
  terms_ += fmt::format(" -1={}", static_cast<int>(info_.aConstraint[i].op));
}

int PlanWriter::finish(double rows, double cost, int order) {
  const std::string text =
      fmt::format("order={} rows={:.0f} cost={:.0f}{}", order, rows, cost, terms_);
  info_.idxStr = sqlite3_mprintf("%s", text.c_str());
  if (info_.idxStr == nullptr) return SQLITE_NOMEM;
  info_.needToFreeIdxStr = 1;
  info_.estimatedRows = static_cast<sqlite3_int64>(std::clamp(rows, 1.0, 1e18));
  info_.estimatedCost = cost;
  return SQLITE_OK;
}

PlanText read_plan(std::string_view text) {
  PlanText plan;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos) continue;
    std::string_view key = word.substr(0, sign), value = word.substr(sign + 1);
    if (key == "order") {
      plan.order = parse_number<int>(value).value_or(0);
    } else if (key == "rows") {
      plan.rows = static_cast<double>(parse_number<std::int64_t>(value).value_or(0));
    } else if (key != "cost") {
      PlanTerm term{.column = parse_number<int>(key).value_or(-1)};
      term.list = value.ends_with('i');
      if (term.list) value.remove_suffix(1);
      term.op = parse_number<int>(value).value_or(0);
      plan.terms.push_back(term);
    }
  }
  return plan;
}

}  // namespace cinderscope
