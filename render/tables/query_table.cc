#include "render/tables/query_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cinderscope {
namespace {

constexpr std::array<std::string_view, 6> kWords = {"time", "duration", "number",
                                                    "text", "slice",    "instant"};
constexpr std::uint64_t kCellBytes = 24;
// Interned as what stands for NULL: no text of a query is that, since those are valid UTF-8.
constexpr std::string_view kNullText = "\xff";

ShownAs first_shown(const QueryColumn& column) {
  switch (shown_kind(column.kind, column.name)) {
    case ColumnKind::time:
      return ShownAs::time;
    case ColumnKind::duration:
      return ShownAs::duration;
    case ColumnKind::slice:
      return ShownAs::slice;
    case ColumnKind::instant:
      return ShownAs::instant;
    default:
      return ShownAs::number;
  }
}

CellKind kind_of(ShownAs shown, bool reals) {
  switch (shown) {
    case ShownAs::time:
      return CellKind::timestamp;
    case ShownAs::duration:
      return CellKind::duration;
    case ShownAs::slice:
    case ShownAs::instant:
      return CellKind::reference;
    case ShownAs::text:
      return reals ? CellKind::real : CellKind::reference;
    default:
      return reals ? CellKind::real : CellKind::number;
  }
}

// Rounded; what no 64 bits hold is not there.
std::int64_t rounded(double number) {
  constexpr double kLimit = 9.2e18;
  return std::abs(number) < kLimit ? std::llround(number) : kNoNumber;
}

void show_as(ValueColumn& column, ShownAs shown) {
  column.head.kind = kind_of(shown, !column.reals.empty());
  column.head.bar = shown == ShownAs::duration;
  column.largest = 0;
  if (!column.numbers.empty()) column.largest = std::ranges::max(column.numbers);
}

NamedPlace place_of_number(const QueryDatabase& database, std::int64_t number, bool instant) {
  NamedPlace named;
  if (number <= 0) return named;
  const SliceNumbers& numbers = instant ? database.instant_numbers() : database.slice_numbers();
  const auto place = numbers.place_of(static_cast<std::uint64_t>(number));
  if (!place) return named;
  named.input = place->row->input;
  if (instant) {
    named.instant = place->instant();
  } else {
    named.slice = place->slice();
  }
  named.begin_ns = place->row->slices->begin_ns(place->index);
  named.name = place->row->slices->name(place->index);
  named.hash = database.inputs()[named.input].timeline->strings->hash(named.name);
  return named;
}

}  // namespace

std::string_view word_of(ShownAs shown) {
  return kWords[static_cast<std::size_t>(shown)];
}

std::optional<ShownAs> shown_as(std::string_view word) {
  const auto found = std::ranges::find(kWords, word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<ShownAs>(found - kWords.begin());
}

void QueryRows::begin(std::size_t statement, std::span<const QueryColumn> columns) {
  Rows& rows = all_.emplace_back();
  rows.columns.assign(columns.begin(), columns.end());
  rows.statement = statement;
  rows.null_text = rows.strings->intern(kNullText, "NULL", 0);
}

bool QueryRows::row(std::span<const QueryCell> cells) {
  Rows& rows = all_.back();
  if (rows.count >= most_rows_ || bytes_ > most_bytes_) {
    rows.more = true;
    return false;
  }
  ++rows.count;
  std::uint64_t bytes = cells.size() * kCellBytes;
  for (const QueryCell& cell : cells) {
    if (const auto* text = std::get_if<std::string_view>(&cell)) {
      rows.cells.emplace_back(rows.strings->intern(*text));
      bytes += text->size();
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      rows.cells.emplace_back(*whole);
    } else if (const auto* number = std::get_if<double>(&cell)) {
      rows.cells.emplace_back(*number);
    } else {
      rows.cells.emplace_back(std::monostate());
    }
  }
  rows.bytes += bytes;
  bytes_ += bytes;
  return true;
}

// Numbers stay numbers where all cells are; with a text among them all are texts.
ValueColumn QueryRows::column_of(const Rows& rows, std::size_t column) {
  ValueColumn out;
  out.head.title = out.head.key = rows.columns[column].name;
  const std::size_t width = rows.columns.size();
  bool texts = false, reals = false;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const Kept& cell = rows.cells[row * width + column];
    texts |= std::holds_alternative<StringId>(cell);
    reals |= std::holds_alternative<double>(cell);
    // It means "no number" in tables.
    const auto* whole = std::get_if<std::int64_t>(&cell);
    texts |= whole != nullptr && *whole == kNoNumber;
  }
  for (std::size_t row = 0; row < rows.count; ++row) {
    const Kept& cell = rows.cells[row * width + column];
    const auto* whole = std::get_if<std::int64_t>(&cell);
    const auto* number = std::get_if<double>(&cell);
    const auto* text = std::get_if<StringId>(&cell);
    if (texts) {
      out.texts.push_back(whole != nullptr    ? rows.strings->intern(fmt::to_string(*whole))
                          : number != nullptr ? rows.strings->intern(fmt::to_string(*number))
                          : text != nullptr   ? *text
                                              : rows.null_text);
    } else {
      if (reals) {
        out.reals.push_back(number != nullptr  ? *number
                            : whole != nullptr ? static_cast<double>(*whole)
                                               : std::numeric_limits<double>::quiet_NaN());
      }
      out.numbers.push_back(whole != nullptr    ? *whole
                            : number != nullptr ? rounded(*number)
                                                : kNoNumber);
    }
  }
  return out;
}

std::shared_ptr<QueryTable> QueryRows::table_of(const Rows& rows) {
  auto table = std::make_shared<QueryTable>();
  auto values = std::make_shared<ValueTable>();
  table->columns = rows.columns;
  table->statement = rows.statement;
  table->more = rows.more;
  table->bytes = rows.bytes;
  values->row_count = rows.count;
  values->null_text = rows.null_text;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    ValueColumn column = column_of(rows, i);
    ShownAs shown = first_shown(rows.columns[i]);
    const bool texts = !column.texts.empty();
    if (texts || rows.count == 0) shown = texts ? ShownAs::text : shown;
    const bool fits = column.reals.empty() || shown == ShownAs::duration || shown == ShownAs::text;
    if (!fits) shown = ShownAs::number;
    if (texts) {
      column.head.kind = CellKind::text;
    } else {
      show_as(column, shown);
    }
    table->shown.push_back(shown);
    values->columns.push_back(std::move(column));
  }
  values->strings = rows.strings;
  table->values = std::move(values);
  return table;
}

std::vector<std::shared_ptr<const QueryTable>> QueryRows::take(const QueryDatabase& database) {
  std::vector<std::shared_ptr<const QueryTable>> tables;
  for (Rows& rows : all_) {
    const std::shared_ptr<QueryTable> table = table_of(rows);
    table->places.resize(table->columns.size());
    for (std::size_t i = 0; i < table->columns.size(); ++i) {
      const bool instants = table->shown[i] == ShownAs::instant;
      if (table->shown[i] != ShownAs::slice && !instants) continue;
      for (const std::int64_t number : table->values->columns[i].numbers) {
        table->places[i].push_back(place_of_number(database, number, instants));
      }
    }
    tables.push_back(table);
    rows = {};
  }
  all_.clear();
  return tables;
}

std::shared_ptr<const QueryTable> shown_otherwise(const QueryTable& table, std::size_t column,
                                                  ShownAs shown) {
  const ValueColumn& now = table.values->columns[column];
  const bool names = shown == ShownAs::slice || shown == ShownAs::instant;
  if (now.head.kind == CellKind::text) return nullptr;
  if (names && table.places[column].empty()) return nullptr;
  if (shown == ShownAs::time && !now.reals.empty()) return nullptr;
  auto other = std::make_shared<QueryTable>(table);
  auto values = std::make_shared<ValueTable>(*table.values);
  show_as(values->columns[column], shown);
  other->shown[column] = shown;
  other->values = std::move(values);
  return other;
}

std::optional<ColumnSummary> summary_of(const ValueTable& table, std::size_t column,
                                        std::span<const std::uint32_t> rows) {
  const ValueColumn& of = table.columns[column];
  if (of.head.kind == CellKind::text) return std::nullopt;
  std::vector<double> numbers;
  ColumnSummary summary;
  for (const std::uint32_t row : rows) {
    if (is_null(table, of, row)) continue;
    numbers.push_back(of.reals.empty() ? static_cast<double>(of.numbers[row]) : of.reals[row]);
    summary.sum += numbers.back();
  }
  if (numbers.empty()) return std::nullopt;
  std::ranges::sort(numbers);
  summary.count = numbers.size();
  summary.mean = summary.sum / static_cast<double>(numbers.size());
  // The nearest rank: always a value that occurs, as in Statistics.
  const auto rank = [&](double percent) {
    const double place = std::ceil(percent / 100 * static_cast<double>(numbers.size()));
    return numbers[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
  };
  summary.least = numbers.front();
  summary.median = rank(50);
  summary.p90 = rank(90);
  summary.p99 = rank(99);
  summary.most = numbers.back();
  return summary;
}

}  // namespace cinderscope
