#include "app/window/sql/sql_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/window.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/sql/sql_tokens.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kTitleBytes = 48, kFirstRows = 10;

// The column of a number from 1, else of that name.
std::optional<std::size_t> column_meant(const QueryTable& table, std::string_view word) {
  const auto number = parse_number<std::size_t>(word);
  if (number && *number >= 1 && *number <= table.columns.size()) return *number - 1;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (equals_in_any_case(table.columns[i].name, word)) return i;
  }
  return std::nullopt;
}

// At most so many bytes, cut at a character.
std::string shortened_words(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 4 * kTitleBytes)) {
    if (is_blank(c) ? !line.empty() && line.back() != ' ' : true) line += is_blank(c) ? ' ' : c;
  }
  if (line.size() <= kTitleBytes) return std::string(trimmed(line));
  std::size_t end = kTitleBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) --end;
  return std::string(trimmed(line.substr(0, end))) + "…";
}

void write_cell(JsonWriter& out, const ValueTable& table, const ValueColumn& column,
                std::uint32_t row) {
  if (is_null(table, column, row)) {
    out.null();
  } else if (column.head.kind == CellKind::text) {
    out.text(text_in(table, column, row));
  } else if (!column.reals.empty()) {
    out.number(column.reals[row]);
  } else {
    out.number(column.numbers[row]);
  }
}

void write_cell(TableWriter& out, const QueryCell& cell) {
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    out.text(*text);
  } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    out.number(*whole);
  } else if (const auto* number = std::get_if<double>(&cell); number && std::isfinite(*number)) {
    out.decimal(fmt::to_string(*number));
  } else {
    out.null();
  }
}

}  // namespace

SqlRows::SqlRows() : ordered_([] { Window::wake(); }) {}

void SqlRows::take(std::shared_ptr<const QueryAnswer> answer, bool as_before) {
  const bool same = as_before && !tables_.empty();
  answer_ = std::move(answer);
  tables_ = answer_->tables;
  if (same && which_ < tables_.size()) return;
  which_ = tables_.empty() ? 0 : tables_.size() - 1;
  order_.reset();
  filter_.clear();
  filter_open_ = false;
}

const std::vector<std::uint32_t>* SqlRows::ordered() const {
  const QueryTable* shown = table();
  const bool known = shown != nullptr && ordered_.answer() != nullptr &&
                     ordered_.answered()->table == shown->values;
  return known ? ordered_.answer() : nullptr;
}

bool SqlRows::poll() {
  const QueryTable* shown = table();
  bool changed = ordered_.poll();
  if (shown == nullptr) return changed;
  const Asked wanted{shown->values, order_, filter_};
  if (!ordered_.is_due(wanted)) return changed;
  ordered_.ask(wanted, [wanted](const BackgroundQuestion<std::vector<std::uint32_t>>& asked) {
    TableOrder order = wanted.order.value_or(TableOrder{.column = SIZE_MAX});
    Result<TableFilter> filter = parse_filter(*wanted.table, wanted.filter);
    return rows_in_order(*wanted.table, order, filter ? *filter : filter_by_text(wanted.filter),
                         &asked.cancelled);
  });
  return true;
}

std::string SqlRows::title() const {
  if (answer_ == nullptr) return {};
  if (!answer_->asked.name.empty()) return answer_->asked.name;
  const QueryAsked& asked = answer_->asked;
  const std::string_view comment = first_sql_comment(asked.about);
  return shortened_words(comment.empty() ? std::string_view(asked.text) : comment);
}

// As somebody chose, else as the query says.
std::optional<TableOrder> SqlRows::order() const {
  if (order_) return order_;
  const QueryTable* shown = table();
  if (shown == nullptr || tables_.size() > 1) return std::nullopt;
  const SqlOrder given = sql_order_of(answer_->asked.text);
  for (std::size_t i = 0; i < shown->columns.size() && !given.column.empty(); ++i) {
    if (!equals_in_any_case(shown->columns[i].name, given.column)) continue;
    return TableOrder{.column = i, .descending = given.descending, .filter = {}};
  }
  return std::nullopt;
}

Status SqlRows::sort(std::string_view column) {
  const QueryTable* shown = table();
  if (shown == nullptr) return refused("There are no rows to sort.");
  const auto meant = column_meant(*shown, column);
  if (!meant) return refused(fmt::format("There is no column \"{}\".", column));
  const TableOrder now = order().value_or(TableOrder{.column = SIZE_MAX});
  order_ = sorted_by(now, *meant, shown->values->columns[*meant].head.kind);
  return ok();
}

Status SqlRows::filter_by(std::string_view text) {
  filter_open_ = !text.empty() || !filter_.empty() || !filter_open_;
  filter_ = text;
  return ok();
}

Status SqlRows::show_column(std::string_view column, std::string_view as) {
  const QueryTable* of = table();
  if (of == nullptr) return refused("There are no rows.");
  const auto meant = column_meant(*of, column);
  if (!meant) return refused(fmt::format("There is no column \"{}\".", column));
  const auto shown = shown_as(as);
  std::shared_ptr<const QueryTable> other;
  if (shown) other = shown_otherwise(*of, *meant, *shown);
  if (other == nullptr) return refused(fmt::format("{} cannot be shown as {}.", column, as));
  tables_[which_] = std::move(other);
  return ok();
}

std::vector<std::string> SqlRows::column_words() const {
  std::vector<std::string> words;
  if (const QueryTable* of = table()) {
    for (const QueryColumn& column : of->columns) words.push_back(column.name);
    for (std::size_t i = 0; i < of->columns.size(); ++i) words.push_back(fmt::to_string(i + 1));
  }
  return words;
}

Result<TakenTable> SqlRows::take_table(const QueriedTraces& traces, const TimestampFormat& times,
                                       TableText form) const {
  const QueryTable* shown = table();
  if (shown == nullptr) return refused("There are no rows: run a query first.");
  std::vector<std::uint32_t> rows;
  if (const std::vector<std::uint32_t>* known = ordered()) {
    rows = *known;
  } else {
    for (std::uint32_t row = 0; row < shown->values->row_count; ++row) rows.push_back(row);
  }
  const bool as_given = !order_ && filter_.empty();
  TakenTable taken = taken_table("query", shown->values, std::move(rows), form, times);
  const bool same = are_asked(answer_->of, traces);
  if (shown->more && as_given && same && form != TableText::markdown) {
    taken.write_all = [all = all_rows(traces, answer_->asked, shown->statement)](
                          TableWriter& out, const std::function<bool()>& put,
                          const std::atomic<bool>& ends) {
      const auto row = [&](std::span<const QueryCell> cells) {
        for (const QueryCell& each : cells) write_cell(out, each);
        return put();
      };
      return all(row, ends);
    };
  }
  return taken;
}

void SqlRows::write_first(JsonWriter& out) const {
  const std::vector<std::uint32_t>* rows = ordered();
  for (std::size_t i = 0; rows != nullptr && i < std::min(rows->size(), kFirstRows); ++i) {
    out.begin_array();
    const ValueTable& values = *table()->values;
    for (const ValueColumn& column : values.columns) write_cell(out, values, column, (*rows)[i]);
    out.end_array();
  }
}

}  // namespace cinderscope
