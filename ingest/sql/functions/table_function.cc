#include "ingest/sql/functions/table_function.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/sql/number_type.h"

namespace cinderscope {

void Arguments::set(const PlanText& plan, std::span<sqlite3_value*> values, int first_column,
                    std::size_t count) {
  values_.clear();
  values_.resize(count);
  for (std::size_t i = 0; i < plan.terms.size(); ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) continue;
    const auto at = static_cast<std::size_t>(plan.terms[i].column - first_column);
    values_[at].reset(sqlite3_value_dup(values[i]));
  }
}

std::optional<std::int64_t> Arguments::integer(std::size_t i) const {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (!has(i)) return std::nullopt;
  switch (number_type(values_[i].get())) {
    case SQLITE_INTEGER:
      return sqlite3_value_int64(values_[i].get());
    case SQLITE_FLOAT: {
      const double number = sqlite3_value_double(values_[i].get());
      if (number != std::floor(number) || number < -kEnd || number >= kEnd) return std::nullopt;
      return static_cast<std::int64_t>(number);
    }
    default:
      return std::nullopt;
  }
}

std::string Arguments::text(std::size_t i) const {
  if (!has(i)) return {};
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values_[i].get()));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values_[i].get()));
  return text == nullptr ? std::string() : std::string(text, size);
}

void Arguments::give(sqlite3_context* out, std::size_t i) const {
  has(i) ? sqlite3_result_value(out, values_[i].get()) : sqlite3_result_null(out);
}

int FunctionCursor::filter(const PlanText& plan, std::span<sqlite3_value*> values) {
  error_.clear();
  rowid_ = 1;
  arguments_.set(plan, values, first_argument_, argument_count_);
  return begin();
}

int FunctionCursor::next() {
  ++rowid_;
  return advance();
}

int FunctionCursor::column(sqlite3_context* out, int column) {
  if (column >= first_argument_) {
    arguments_.give(out, static_cast<std::size_t>(column - first_argument_));
  } else {
    cell(out, column);
  }
  return SQLITE_OK;
}

int FunctionCursor::fail(std::string message) {
  error_ = std::move(message);
  return SQLITE_ERROR;
}

FunctionTable::FunctionTable(const TableEntry& entry, double rows, double cost, Open opened)
    : first_argument_(static_cast<int>(std::ranges::find_if(entry.columns, &SqlColumn::hidden) -
                                       entry.columns.begin())),
      argument_count_(entry.columns.size() - static_cast<std::size_t>(first_argument_)),
      rows_(rows),
      cost_(cost),
      open_(std::move(opened)) {}

int FunctionTable::plan(sqlite3_index_info& info) const {
  PlanWriter plan(info);
  std::vector<int> taken;
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.iColumn < first_argument_ || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) {
      continue;
    }
    // A second value of an argument is compared with the first.
    if (std::ranges::find(taken, constraint.iColumn) != taken.end()) continue;
    // It comes from a table that is to be gone through first.
    if (!constraint.usable) return SQLITE_CONSTRAINT;
    plan.take_one(i);
    taken.push_back(constraint.iColumn);
  }
  return plan.finish(rows_, cost_);
}

void give_joined(sqlite3_context* out, std::span<const std::string_view> names) {
  const auto most = static_cast<std::size_t>(
      sqlite3_limit(sqlite3_context_db_handle(out), SQLITE_LIMIT_LENGTH, -1));
  std::string path;
  for (std::size_t i = names.size(); i > 0 && path.size() <= most; --i) {
    if (i < names.size()) path += ';';
    path += names[i - 1];
  }
  if (path.size() > most) return sqlite3_result_error_toobig(out);
  give_text(out, path);
}

std::vector<SqlColumn> with_arguments(std::vector<SqlColumn> columns,
                                      const std::vector<SqlColumn>& arguments) {
  std::erase_if(columns, [](const SqlColumn& column) { return column.hidden; });
  for (SqlColumn argument : arguments) {
    argument.hidden = true;
    columns.push_back(argument);
  }
  return columns;
}

}  // namespace cinderscope
