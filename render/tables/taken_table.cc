#include "render/tables/taken_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/base/ascii.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;

void write_cell(TableWriter& out, const ValueTable& table, const ValueColumn& column,
                std::uint32_t row, const TimestampFormat& times) {
  if (out.for_people()) {
    out.shown(cell_text(table, column, row, times));
  } else if (column.head.kind == CellKind::text) {
    is_null(table, column, row) ? out.null() : out.text(text_in(table, column, row));
  } else if (!column.reals.empty()) {
    const double number = column.reals[row];
    std::isfinite(number) ? out.decimal(fmt::to_string(number)) : out.null();
  } else if (column.head.kind == CellKind::percent) {
    out.decimal(fmt::format("{:.2f}", percent_in(column, row)));
  } else if (column.numbers[row] == kNoNumber) {
    out.null();
  } else {
    out.number(column.numbers[row]);
  }
}

}  // namespace

std::uint64_t written_rows(const TakenTable& table, TableText form) {
  return form == TableText::markdown ? std::min(table.row_count, kMostMarkdownRows)
                                     : table.row_count;
}

bool write_table(const TakenTable& table, TableForm form,
                 const std::function<bool(std::string_view)>& take) {
  const std::atomic<bool> never = false;
  return write_table(table, form, take, never);
}

bool write_table(const TakenTable& table, TableForm form,
                 const std::function<bool(std::string_view)>& take, const std::atomic<bool>& ends) {
  std::string piece;
  TableWriter out(piece, form, table.columns);
  out.head();
  if (table.write_all != nullptr && !out.for_people()) {
    const auto put = [&] {
      if (piece.size() < kPieceBytes) return true;
      const bool goes_on = take(piece);
      piece.clear();
      return goes_on;
    };
    const bool whole = table.write_all(out, put, ends);
    return whole && (piece.empty() || take(piece));
  }
  const std::uint64_t rows = written_rows(table, form.text);
  for (std::uint64_t row = 0; row < rows; ++row) {
    table.write_row(row, out);
    if (piece.size() < kPieceBytes) continue;
    if (!take(piece)) return false;
    piece.clear();
  }
  if (out.for_people() && rows < table.row_count) {
    piece +=
        fmt::format("\nThe first {} of {} rows.\n", count_text(rows), count_text(table.row_count));
  }
  return piece.empty() || take(piece);
}

Result<std::string> table_to_copy(const TakenTable& table, TableForm form,
                                  std::uint64_t most_bytes) {
  std::string text;
  const bool fits = write_table(table, form, [&](std::string_view piece) {
    if (text.size() + piece.size() > most_bytes) return false;
    text += piece;
    return true;
  });
  if (fits) return text;
  return refused(fmt::format("More than {} MB cannot be copied. Save… can take all {} rows.",
                             most_bytes / 1'000'000, count_text(table.row_count)));
}

TakenTable taken_table(std::string word, std::shared_ptr<const ValueTable> table,
                       std::vector<std::uint32_t> rows, TableText form,
                       const TimestampFormat& times) {
  TakenTable taken{.word = std::move(word), .row_count = rows.size(), .left_out = table->left_out};
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const TableColumn& head = table->columns[i].head;
    if (form == TableText::markdown && head.hidden) continue;
    columns.push_back(i);
    taken.columns.push_back({.key = head.key.empty() ? ascii_lower(head.title) : head.key,
                             .title = head.title,
                             .numbers = head.kind != CellKind::text});
  }
  if (columns.empty()) taken.row_count = 0;
  taken.write_row = [table = std::move(table), rows = std::move(rows), columns = std::move(columns),
                     times](std::uint64_t row, TableWriter& out) {
    for (const std::size_t column : columns) {
      write_cell(out, *table, table->columns[column], rows[row], times);
    }
  };
  return taken;
}

}  // namespace cinderscope
