#include "render/tables/value_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "ingest/base/utf8.h"
#include "ingest/search/number_range.h"

namespace cinderscope {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSigns = "<>=";

// "Files read" and "files_read" are the same to who types.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : lower_ascii(name)) {
    const bool sign =
        static_cast<unsigned char>(c) < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
    if (!sign) plain += c;
  }
  return plain;
}

bool is_set(const std::atomic<bool>* cancelled) {
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

std::optional<Error> read_numbers(const ValueColumn& column, std::string_view text,
                                  ValueFilter::Bound& bound) {
  const auto wrong = [&](std::string_view why) {
    return Error{ErrorCode::damaged, fmt::format("{} {}", column.name, why), {}};
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

bool holds(const ValueTable& table, const ValueFilter::Bound& bound, std::uint32_t row) {
  const ValueColumn& column = table.columns[bound.column];
  if (column.kind == CellKind::text) {
    return contains_text(table.strings->text(column.texts[row]), bound.text);
  }
  if (column.numbers[row] == kNoNumber) return false;
  const auto value = static_cast<double>(column.numbers[row]);
  return (bound.low_open ? value > bound.low : value >= bound.low) &&
         (bound.high_open ? value < bound.high : value <= bound.high);
}

// Which of the table's texts contain a word: each is looked at once, however many rows have it.
std::vector<bool> texts_with(const ValueTable& table, std::string_view word,
                             const std::atomic<bool>* cancelled) {
  std::vector<bool> has(table.strings->size());
  for (std::uint32_t i = 0; i < has.size() && !is_set(cancelled); ++i) {
    has[i] = contains_text(table.strings->text(StringId{i}), word);
  }
  return has;
}

}  // namespace

ValueOrder sorted_by(const ValueTable& table, const ValueOrder& order, std::size_t column) {
  ValueOrder next = order;
  next.descending =
      order.column == column ? !order.descending : table.columns[column].kind != CellKind::text;
  next.column = column;
  return next;
}

std::optional<std::size_t> column_named(const ValueTable& table, std::string_view name) {
  const std::string wanted = plain_name(name);
  if (wanted.empty()) return std::nullopt;
  std::optional<std::size_t> begins;
  std::size_t beginning = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string plain = plain_name(table.columns[i].name);
    if (plain == wanted) return i;
    if (!plain.starts_with(wanted)) continue;
    ++beginning;
    begins = i;
  }
  return beginning == 1 ? begins : std::nullopt;
}

Result<ValueFilter> value_filter(const ValueTable& table, std::string_view text) {
  ValueFilter filter;
  const std::vector<std::string_view> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool compares =
        i + 1 < words.size() && kSigns.find(words[i + 1].front()) != std::string_view::npos;
    if (!compares) {
      filter.words.push_back(lower_ascii(words[i]));
      continue;
    }
    // What is still being typed filters nothing yet.
    if (i + 2 >= words.size()) break;
    const auto column = column_named(table, words[i]);
    if (!column) {
      return Error{ErrorCode::damaged, fmt::format("There is no column \"{}\".", words[i]), {}};
    }
    const std::string_view sign = words[i + 1], value = words[i + 2];
    ValueFilter::Bound bound{.column = *column};
    const ValueColumn& compared = table.columns[*column];
    if (compared.kind == CellKind::text) {
      bound.text = lower_ascii(value);
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

std::vector<std::uint32_t> rows_in_order(const ValueTable& table, const ValueOrder& order,
                                         const ValueFilter& filter,
                                         const std::atomic<bool>* cancelled) {
  std::vector<std::vector<bool>> has;
  for (const std::string& word : filter.words) has.push_back(texts_with(table, word, cancelled));
  const auto has_word = [&](const std::vector<bool>& with, std::uint32_t row) {
    return std::ranges::any_of(table.columns, [&](const ValueColumn& column) {
      return column.kind == CellKind::text && with[index(column.texts[row])];
    });
  };
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.row_count && !is_set(cancelled); ++row) {
    const bool shown =
        std::ranges::all_of(has, [&](const auto& with) { return has_word(with, row); }) &&
        std::ranges::all_of(filter.bounds, [&](const ValueFilter::Bound& bound) {
          return holds(table, bound, row);
        });
    if (shown) rows.push_back(row);
  }
  if (order.column >= table.columns.size() || is_set(cancelled)) return rows;

  const ValueColumn& by = table.columns[order.column];
  const bool descending = order.descending;
  if (by.kind != CellKind::text) {
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      return descending ? by.numbers[a] > by.numbers[b] : by.numbers[a] < by.numbers[b];
    });
    return rows;
  }
  // Rows by the rank of their text, so that each pair of texts is compared a few times at most.
  std::vector<std::uint32_t> texts(table.strings->size()), rank(table.strings->size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) texts[i] = i;
  std::ranges::sort(texts, {}, [&](std::uint32_t i) { return table.strings->text(StringId{i}); });
  for (std::uint32_t i = 0; i < texts.size(); ++i) rank[texts[i]] = i;
  std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t left = rank[index(by.texts[a])], right = rank[index(by.texts[b])];
    return descending ? left > right : left < right;
  });
  return rows;
}

std::string_view text_in(const ValueTable& table, const ValueColumn& column, std::uint32_t row) {
  return column.kind == CellKind::text ? table.strings->text(column.texts[row])
                                       : std::string_view();
}

std::string table_text(const ValueTable& table, std::span<const std::uint32_t> rows,
                       TableText form) {
  std::string out;
  const auto end_field = [&](std::size_t i) {
    if (i + 1 < table.columns.size()) {
      out += field_separator(form);
    } else {
      out += line_end(form);
    }
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ValueColumn& column = table.columns[i];
    append_field(
        out, column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit),
        form);
    end_field(i);
  }
  for (const std::uint32_t row : rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const ValueColumn& column = table.columns[i];
      if (column.kind == CellKind::text) {
        append_field(out, valid_utf8(text_in(table, column, row)), form);
      } else if (column.numbers[row] != kNoNumber) {
        fmt::format_to(std::back_inserter(out), "{}", column.numbers[row]);
      }
      end_field(i);
    }
  }
  return out;
}

}  // namespace cinderscope
