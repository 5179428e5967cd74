#include "render/tables/value_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostShownBytes = 2'000;

// "Files read" and "files_read" are the same to who types.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : ascii_lower(name)) {
    const bool sign =
        static_cast<unsigned char>(c) < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
    if (!sign) plain += c;
  }
  return plain;
}

}  // namespace

std::optional<std::size_t> column_named(const ValueTable& table, std::string_view name) {
  const std::string wanted = plain_name(name);
  if (wanted.empty()) return std::nullopt;
  std::optional<std::size_t> begins;
  std::size_t beginning = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].head.key == name) return i;
    const std::string plain = plain_name(table.columns[i].head.title);
    if (plain == wanted) return i;
    if (!plain.starts_with(wanted)) continue;
    ++beginning;
    begins = i;
  }
  return beginning == 1 ? begins : std::nullopt;
}

void finish_columns(ValueTable& table) {
  for (ValueColumn& column : table.columns) {
    if (!column.numbers.empty()) column.largest = std::ranges::max(column.numbers);
  }
}

std::string_view text_in(const ValueTable& table, const ValueColumn& column, std::uint32_t row) {
  if (column.head.kind != CellKind::text) return {};
  if (column.texts[row] == table.null_text) return {};
  const std::string_view text = table.strings->text(column.texts[row]);
  return text.empty() ? std::string_view(column.head.if_empty) : text;
}

std::string cell_text(const ValueTable& table, const ValueColumn& column, std::uint32_t row,
                      const TimestampFormat& format) {
  if (column.head.kind == CellKind::text) {
    if (column.texts[row] == table.null_text) return {};
    const std::string_view label = table.strings->label(column.texts[row]);
    const std::string_view text = label.empty() ? text_in(table, column, row) : label;
    return valid_utf8(text.substr(0, kMostShownBytes));
  }
  if (column.pending) return "…";
  if (column.head.kind == CellKind::real) {
    return std::isnan(column.reals[row]) ? std::string() : real_text(column.reals[row]);
  }
  const std::int64_t number = column.numbers[row];
  if (number == kNoNumber) return {};
  switch (column.head.kind) {
    case CellKind::duration:
      return duration_text(number, column.largest, format.axis);
    case CellKind::timestamp:
      return timestamp_text(number, format);
    case CellKind::percent:
      return fmt::format("{:.1f} %", percent_in(column, row));
    case CellKind::reference:
      return fmt::format("{}", number);
    default:
      return signed_count_text(number);
  }
}

bool is_null(const ValueTable& table, const ValueColumn& column, std::uint32_t row) {
  if (column.head.kind == CellKind::text) {
    return table.null_text == kNoName ? text_in(table, column, row).empty()
                                      : column.texts[row] == table.null_text;
  }
  if (column.head.kind == CellKind::real) return std::isnan(column.reals[row]);
  return column.numbers[row] == kNoNumber;
}

std::string real_text(double number) {
  constexpr int kDigits = 6;
  constexpr double kLarge = 1e15, kSmall = 1e-4;
  const double size = std::abs(number);
  if (!std::isfinite(number) || (size != 0 && (size >= kLarge || size < kSmall))) {
    return fmt::format("{:.6g}", number);
  }
  const int before = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
  std::string text = fmt::format("{:.{}f}", number, std::max(kDigits - before, 0));
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

double percent_in(const ValueColumn& column, std::uint32_t row) {
  if (column.whole <= 0) return 0;
  return 100 * static_cast<double>(column.numbers[row]) / static_cast<double>(column.whole);
}

}  // namespace cinderscope
