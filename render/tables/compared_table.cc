#include "render/tables/compared_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ingest/search/text_match.h"
#include "render/tables/change_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

using Field = ComparedField;

// The duration of a side that a column shows; nothing for other columns.
struct SideField {
  Side side;
  std::int64_t SideNumbers::*number;
};
std::optional<SideField> side_field(Field field) {
  switch (field) {
    case Field::mean_a:
      return SideField{side_a, &SideNumbers::mean_ns};
    case Field::mean_b:
      return SideField{side_b, &SideNumbers::mean_ns};
    case Field::median_a:
      return SideField{side_a, &SideNumbers::median_ns};
    case Field::median_b:
      return SideField{side_b, &SideNumbers::median_ns};
    case Field::p90_a:
      return SideField{side_a, &SideNumbers::p90_ns};
    case Field::p90_b:
      return SideField{side_b, &SideNumbers::p90_ns};
    case Field::p99_a:
      return SideField{side_a, &SideNumbers::p99_ns};
    case Field::p99_b:
      return SideField{side_b, &SideNumbers::p99_ns};
    case Field::min_a:
      return SideField{side_a, &SideNumbers::min_ns};
    case Field::min_b:
      return SideField{side_b, &SideNumbers::min_ns};
    case Field::max_a:
      return SideField{side_a, &SideNumbers::max_ns};
    case Field::max_b:
      return SideField{side_b, &SideNumbers::max_ns};
    case Field::total_a:
      return SideField{side_a, &SideNumbers::total_ns};
    case Field::total_b:
      return SideField{side_b, &SideNumbers::total_ns};
    default:
      return std::nullopt;
  }
}

std::uint64_t calls_of(const ComparedSides& sides, const ComparedRow& row) {
  return side_numbers(sides, side_a, row.name).count + side_numbers(sides, side_b, row.name).count;
}

double key_value(const ComparedSides& sides, const ComparedRow& row, Field field) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (const auto of = side_field(field)) {
    return static_cast<double>(side_numbers(sides, of->side, row.name).*(of->number));
  }
  switch (field) {
    case Field::calls:
      return static_cast<double>(calls_of(sides, row));
    case Field::a:
      return row.value[side_a].value;
    case Field::b:
      return row.value[side_b].value;
    case Field::change:  // +100 % and -50 % are alike
      return row.change && *row.change > -1 ? std::abs(std::log1p(*row.change)) : kNone;
    case Field::interval:
      return row.low && row.high ? *row.high - *row.low : kNone;
    case Field::verdict:
      return -static_cast<double>(row.verdict);
    case Field::p:
      return row.p ? -*row.p : kNone;  // the smallest says most
    case Field::chance:
      return row.chance.value_or(kNone);
    case Field::merged:
      return static_cast<double>(sides.names.names[row.name].names[side_a].size() +
                                 sides.names.names[row.name].names[side_b].size());
    default:
      return std::abs(row.difference.value);
  }
}

struct FilterWord {
  TextMatch match;
  bool negated = false;
};

Result<std::vector<FilterWord>> filter_words(std::string_view text) {
  std::vector<FilterWord> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    FilterWord word;
    if (text.size() > 1 && text.front() == '-') {
      word.negated = true;
      text.remove_prefix(1);
    }
    const std::size_t slash = text.front() == '/' ? text.find('/', 1) : std::string_view::npos;
    std::size_t end = std::min(text.find(' '), text.size());
    if (slash != std::string_view::npos) {
      auto match = TextMatch::matching(text.substr(1, slash - 1), true);
      if (!match) return match.error();
      word.match = *match;
      end = slash + 1;
    } else {
      word.match = TextMatch::containing(text.substr(0, end));
    }
    words.push_back(std::move(word));
    text.remove_prefix(end);
  }
}

std::string calls_text(const ComparedSides& sides, const ComparedRow& row) {
  const std::uint64_t a = side_numbers(sides, side_a, row.name).count,
                      b = side_numbers(sides, side_b, row.name).count;
  if (a == b) return count_text(a);
  return count_text(a) + " → " + count_text(b);
}

std::string interval_cell(const ComparedSides& sides, const ComparedRow& row) {
  if (row.verdict == Verdict::added || row.verdict == Verdict::gone) {
    const Side side = row.verdict == Verdict::added ? side_b : side_a;
    const char* name = side == side_a ? "A" : "B";
    const std::size_t in = side_numbers(sides, side, row.name).runs, all = sides.run_count(side);
    if (in >= all) return fmt::format("in all of {}", name);
    return fmt::format("in {} of {} of {}", in, all, name);
  }
  return row.low && row.high ? interval_text(*row.low, *row.high) : std::string();
}

}  // namespace

std::string longest_calls(const ComparedSides& sides, const Comparison& comparison,
                          std::span<const std::uint32_t> rows) {
  OfSides<std::uint64_t> most{};
  bool differ = false;
  for (const std::uint32_t row : rows) {
    OfSides<std::uint64_t> count{};
    for (const Side side : {side_a, side_b}) {
      count[side] = side_numbers(sides, side, comparison.rows[row].name).count;
      most[side] = std::max(most[side], count[side]);
    }
    differ |= count[side_a] != count[side_b];
  }
  if (!differ) return count_text(std::max(most[side_a], most[side_b]));
  return count_text(most[side_a]) + " → " + count_text(most[side_b]);
}

Result<std::vector<std::uint32_t>> compared_rows(const ComparedSides& sides,
                                                 const Comparison& comparison,
                                                 const ComparedOrder& order) {
  const Result<std::vector<FilterWord>> words = filter_words(order.filter);
  if (!words) return words.error();
  const std::uint32_t wanted = order.wanted != 0 ? order.wanted : ~bit_of(Verdict::small);
  std::vector<std::uint32_t> rows;
  std::vector<double> keys(comparison.rows.size());
  for (std::uint32_t i = 0; i < comparison.rows.size(); ++i) {
    const ComparedRow& row = comparison.rows[i];
    if ((wanted & bit_of(row.verdict)) == 0) continue;
    const std::string& text = sides.names.names[row.name].text;
    const bool fits = std::ranges::all_of(*words, [&](const FilterWord& word) {
      const bool holds = word.match.holds(text) || word.match.holds(sides.labels[row.name]);
      return holds != word.negated;
    });
    if (!fits) continue;
    rows.push_back(i);
    if (order.field != Field::name) keys[i] = key_value(sides, row, order.field);
  }
  const auto name_of = [&](std::uint32_t row) -> const std::string& {
    return sides.names.names[comparison.rows[row].name].text;
  };
  std::ranges::stable_sort(rows, [&](std::uint32_t x, std::uint32_t y) {
    if (order.field == Field::name) {
      return order.descending ? name_of(y) < name_of(x) : name_of(x) < name_of(y);
    }
    if (keys[x] != keys[y]) return order.descending ? keys[x] > keys[y] : keys[x] < keys[y];
    return name_of(x) < name_of(y);
  });
  return rows;
}

std::string shown_verdict(const Comparison& comparison, Verdict verdict) {
  std::string text(word_of(verdict));
  const bool directed = verdict == Verdict::more || verdict == Verdict::less;
  if (directed && comparison.tested != Tested::runs) text += '?';
  return text;
}

std::string compared_cell(const ComparedSides& sides, const Comparison& comparison,
                          const ComparedRow& row, ComparedField field) {
  const ValueUnit unit = value_unit(comparison, sides.axis());
  if (const auto of = side_field(field)) {
    const SideNumbers numbers = side_numbers(sides, of->side, row.name);
    if (numbers.count == 0) return "–";
    return duration_text(numbers.*(of->number), sides.axis());
  }
  switch (field) {
    case Field::name: {
      const std::string& label = sides.labels[row.name];
      const ComparedName& name = sides.names.names[row.name];
      const std::size_t merged = std::max(name.names[side_a].size(), name.names[side_b].size());
      std::string text = label.empty() ? std::string("(no name)") : label;
      if (merged > 1) text += fmt::format(" ({})", merged);
      const bool torn = side_numbers(sides, side_a, row.name).unfinished ||
                        side_numbers(sides, side_b, row.name).unfinished;
      return torn ? text + " (unfinished)" : text;
    }
    case Field::calls:
      return calls_text(sides, row);
    case Field::a:
      return row.occurs[side_a] ? value_text(row.value[side_a].value, unit) : "–";
    case Field::b:
      return row.occurs[side_b] ? value_text(row.value[side_b].value, unit) : "–";
    case Field::difference:
      return difference_text(row.difference.value, unit);
    case Field::change:
      return row.change && row.occurs[side_a] && row.occurs[side_b] ? change_text(*row.change)
                                                                    : "–";
    case Field::interval:
      return interval_cell(sides, row);
    case Field::verdict:
      return shown_verdict(comparison, row.verdict);
    case Field::p:
      return row.p ? fmt::format("{:.2g}", *row.p) : std::string();
    case Field::chance:
      return row.chance ? fmt::format("{:.0f} %", *row.chance * 100) : std::string();
    case Field::merged: {
      const ComparedName& name = sides.names.names[row.name];
      return fmt::format("{} → {}", name.names[side_a].size(), name.names[side_b].size());
    }
    default:
      return {};
  }
}

std::string compared_row_help(const ComparedSides& sides, const ComparedRow& row) {
  constexpr std::size_t kMost = 12, kBytes = 120;
  std::string text;
  for (const Side side : {side_a, side_b}) {
    const auto& names = sides.names.names[row.name].names[side];
    if (names.size() > 1) {
      text += fmt::format("{} names of {} are compared as one:\n", names.size(),
                          side == side_a ? "A" : "B");
      for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        text += "  " + drawable(sides.side_names[side][names[i]].substr(0, kBytes)) + "\n";
      }
      if (names.size() > kMost) text += fmt::format("  and {} more\n", names.size() - kMost);
    }
    if (side_numbers(sides, side, row.name).unfinished) {
      text += fmt::format("More than 1 % of its time in {} is of calls that never ended.\n",
                          side == side_a ? "A" : "B");
    }
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace cinderscope
