#include "ingest/sql/plan_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

bool is_equal(int op) {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_IS;
}

// The largest integer that is at most `value`; nullopt: all are larger.
std::optional<std::int64_t> floor_of(double value) {
  if (value < -kTwoTo63) return std::nullopt;
  return value >= kTwoTo63 ? INT64_MAX : static_cast<std::int64_t>(std::floor(value));
}

}  // namespace

void IntegerBounds::narrow(int op, sqlite3_value* value) {
  const auto nothing = [this] {
    first = INT64_MAX;
    last = INT64_MIN;
  };
  const auto at_least = [&](std::int64_t low) { first = std::max(first, low); };
  const auto at_most = [&](std::int64_t high) { last = std::min(last, high); };
  const auto above = [&](std::int64_t low) { low == INT64_MAX ? nothing() : at_least(low + 1); };
  const auto below = [&](std::int64_t high) { high == INT64_MIN ? nothing() : at_most(high - 1); };
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_NULL:
      return nothing();
    case SQLITE_INTEGER: {
      const std::int64_t number = sqlite3_value_int64(value);
      switch (op) {
        case SQLITE_INDEX_CONSTRAINT_LT:
          return below(number);
        case SQLITE_INDEX_CONSTRAINT_LE:
          return at_most(number);
        case SQLITE_INDEX_CONSTRAINT_GT:
          return above(number);
        case SQLITE_INDEX_CONSTRAINT_GE:
          return at_least(number);
        default:
          at_least(number);
          return at_most(number);
      }
    }
    case SQLITE_FLOAT: {
      const double number = sqlite3_value_double(value);
      const std::optional<std::int64_t> floor = floor_of(number);
      const bool whole = floor && number < kTwoTo63 && static_cast<double>(*floor) == number;
      const bool up = op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;
      if (is_equal(op)) {
        if (!whole) return nothing();
        at_least(*floor);
        return at_most(*floor);
      }
      if (number >= kTwoTo63) return up ? nothing() : void();
      if (!floor) return up ? void() : nothing();
      if (op == SQLITE_INDEX_CONSTRAINT_GT) return above(*floor);
      if (op == SQLITE_INDEX_CONSTRAINT_GE) return whole ? at_least(*floor) : above(*floor);
      if (op == SQLITE_INDEX_CONSTRAINT_LE) return at_most(*floor);
      return whole ? below(*floor) : at_most(*floor);
    }
    default:  // texts and blobs are larger than every number
      if (op != SQLITE_INDEX_CONSTRAINT_LT && op != SQLITE_INDEX_CONSTRAINT_LE) nothing();
  }
}

bool IntegerSet::holds(std::int64_t value) const {
  return bounds.holds(value) && (!listed || std::ranges::binary_search(*listed, value));
}

void IntegerSet::narrow(const PlanTerm& term, sqlite3_value* value) {
  if (!term.list) return bounds.narrow(term.op, value);
  std::vector<std::int64_t> wanted;
  for_values(value, [&](sqlite3_value* each) {
    IntegerBounds one;
    one.narrow(SQLITE_INDEX_CONSTRAINT_EQ, each);
    if (!one.empty() && holds(one.first)) wanted.push_back(one.first);
  });
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  listed = std::move(wanted);
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
