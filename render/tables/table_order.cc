#include "render/tables/table_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/search/number_range.h"

namespace cinderscope {
namespace {

// Without regard to the case of ASCII letters; `lower_part` is in lower case already.
bool contains_text(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return ascii_lower(a) == b; }) != text.end();
}

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSigns = "<>=";

bool is_cancelled(const std::atomic<bool>* cancelled) {
  return cancelled != nullptr && cancelled->load(std::memory_order_relaxed);
}

// Words, and signs that compare as words of their own.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const bool sign = kSigns.find(text.front()) != std::string_view::npos;
    std::size_t end = sign ? text.find_first_not_of(kSigns)
                           : text.find_first_of(std::string(kBlanks) + std::string(kSigns));
    end = std::min(end, text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<Error> read_numbers(const TableColumn& column, std::string_view text,
                                  TableFilter::Bound& bound) {
  const auto wrong = [&](std::string_view why) {
    return Error{ErrorCode::damaged, fmt::format("{} {}", column.title, why), {}};
  };
  if (column.kind == CellKind::duration) {
    const Result<TimeBounds> times = time_bounds(text);
    if (!times) return wrong("is compared with a time, e.g. 5ms");
    bound.low = static_cast<double>(times->first_ns);
    bound.high = static_cast<double>(times->last_ns);
    return std::nullopt;
  }
  const auto numbers = number_range(text);
  if (!numbers || !*numbers) return wrong("is compared with a number");
  bound.low = (*numbers)->low;
  bound.high = (*numbers)->high;
  bound.low_open = (*numbers)->low_open;
  bound.high_open = (*numbers)->high_open;
  return std::nullopt;
}

bool holds(const ValueTable& table, const TableFilter::Bound& bound, std::uint32_t row) {
  const ValueColumn& column = table.columns[bound.column];
  if (column.head.kind == CellKind::text) {
    return contains_text(text_in(table, column, row), bound.text);
  }
  if (is_null(table, column, row)) return false;
  const double value = column.head.kind == CellKind::real
                           ? column.reals[row]
                           : static_cast<double>(column.numbers[row]);
  return (bound.low_open ? value > bound.low : value >= bound.low) &&
         (bound.high_open ? value < bound.high : value <= bound.high);
}

// Rows whose texts contain a word. Each text is looked at once, however many rows have it.
class WordFilter {
 public:
  WordFilter(const ValueTable& table, std::string_view word)
      : table_(table), word_(word), has_(table.strings == nullptr ? 0 : table.strings->size()) {}

  bool lets_through(std::uint32_t row) {
    return std::ranges::any_of(table_.columns, [&](const ValueColumn& column) {
      return column.head.kind == CellKind::text && is_in(column, row);
    });
  }

 private:
  enum class Has : std::uint8_t { unknown, no, yes };

  bool is_in(const ValueColumn& column, std::uint32_t row) {
    Has& has = has_[index(column.texts[row])];
    if (has == Has::unknown) {
      const bool found = contains_text(text_in(table_, column, row), word_) ||
                         contains_text(table_.strings->label(column.texts[row]), word_);
      has = found ? Has::yes : Has::no;
    }
    return has == Has::yes;
  }

  const ValueTable& table_;
  std::string_view word_;
  std::vector<Has> has_;  // by StringId
};

// The place of each row's text among all of them; equal texts have the same.
std::vector<std::int64_t> text_ranks(const ValueTable& table, const ValueColumn& column,
                                     const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> some_row(table.strings->size(), UINT32_MAX);  // by StringId
  std::vector<std::uint32_t> distinct;
  for (const std::uint32_t row : rows) {
    std::uint32_t& known = some_row[index(column.texts[row])];
    if (known != UINT32_MAX) continue;
    known = row;
    distinct.push_back(row);
  }
  std::ranges::sort(distinct, {}, [&](std::uint32_t row) { return text_in(table, column, row); });
  std::vector<std::uint32_t>& rank = some_row;
  for (std::uint32_t i = 0; i < distinct.size(); ++i) rank[index(column.texts[distinct[i]])] = i;
  std::vector<std::int64_t> ranks;
  ranks.reserve(rows.size());
  for (const std::uint32_t row : rows) ranks.push_back(rank[index(column.texts[row])]);
  return ranks;
}

// Numbers that are ordered as the column's are; what is not there comes first.
std::vector<std::int64_t> real_ranks(const ValueColumn& column,
                                     const std::vector<std::uint32_t>& rows) {
  std::vector<std::int64_t> ranks;
  ranks.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const double number = column.reals[row] == 0 ? 0 : column.reals[row];  // no -0
    const auto bits = std::bit_cast<std::int64_t>(number);
    ranks.push_back(std::isnan(number) ? INT64_MIN : bits >= 0 ? bits : INT64_MIN - bits);
  }
  return ranks;
}

// What rows are sorted by: one value for each of `rows`.
std::vector<std::int64_t> sort_keys(const ValueTable& table, std::size_t column,
                                    const std::vector<std::uint32_t>& rows) {
  const ValueColumn& by = table.columns[column];
  if (by.head.kind == CellKind::text) return text_ranks(table, by, rows);
  if (by.head.kind == CellKind::real) return real_ranks(by, rows);
  std::vector<std::int64_t> keys;
  keys.reserve(rows.size());
  for (const std::uint32_t row : rows) keys.push_back(by.numbers[row]);
  return keys;
}

}  // namespace

TableOrder sorted_by(const TableOrder& order, std::size_t column, CellKind kind) {
  TableOrder next = order;
  next.descending = order.column == column ? !order.descending : kind != CellKind::text;
  next.column = column;
  return next;
}

Result<TableFilter> parse_filter(const ValueTable& table, std::string_view text) {
  TableFilter filter;
  const std::vector<std::string_view> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool compares =
        i + 1 < words.size() && kSigns.find(words[i + 1].front()) != std::string_view::npos;
    if (!compares) {
      filter.words.push_back(ascii_lower(words[i]));
      continue;
    }
    // What is still being typed filters nothing yet.
    if (i + 2 >= words.size()) break;
    const auto column = column_named(table, words[i]);
    if (!column) {
      return Error{ErrorCode::damaged, fmt::format("There is no column \"{}\".", words[i]), {}};
    }
    const std::string_view sign = words[i + 1], value = words[i + 2];
    TableFilter::Bound bound{.column = *column};
    const TableColumn& compared = table.columns[*column].head;
    if (compared.kind == CellKind::text) {
      bound.text = ascii_lower(value);
    } else {
      const std::string range =
          sign == "=" ? fmt::format("{0}..{0}", value) : fmt::format("{}{}", sign, value);
      if (auto error = read_numbers(compared, range, bound)) return *error;
    }
    filter.bounds.push_back(std::move(bound));
    i += 2;
  }
  return filter;
}

TableFilter filter_by_text(std::string_view text) {
  TableFilter filter;
  if (!text.empty()) filter.words.push_back(ascii_lower(text));
  return filter;
}

std::vector<std::uint32_t> rows_in_order(const ValueTable& table, const TableOrder& order,
                                         const TableFilter& filter,
                                         const std::atomic<bool>* cancelled) {
  std::vector<WordFilter> words;
  for (const std::string& word : filter.words) words.emplace_back(table, word);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.row_count && !is_cancelled(cancelled); ++row) {
    const bool shown =
        std::ranges::all_of(words, [&](WordFilter& word) { return word.lets_through(row); }) &&
        std::ranges::all_of(filter.bounds, [&](const TableFilter::Bound& bound) {
          return holds(table, bound, row);
        });
    if (shown) rows.push_back(row);
  }
  if (order.column >= table.columns.size() || is_cancelled(cancelled)) return rows;

  struct Key {
    std::int64_t value, tie;
    std::uint32_t row;
  };
  const std::vector<std::int64_t> values = sort_keys(table, order.column, rows);
  const bool has_ties = order.column != 0 && table.columns.front().head.kind == CellKind::text;
  std::vector<std::int64_t> ties;
  if (has_ties) ties = sort_keys(table, 0, rows);
  std::vector<Key> keys;
  keys.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.push_back({values[i], has_ties ? ties[i] : 0, rows[i]});
  }
  std::ranges::sort(keys, [descending = order.descending](const Key& a, const Key& b) {
    if (a.value != b.value) return descending ? a.value > b.value : a.value < b.value;
    return a.tie != b.tie ? a.tie < b.tie : a.row < b.row;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].row;
  return rows;
}

}  // namespace cinderscope
