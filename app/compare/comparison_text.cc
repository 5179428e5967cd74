// A comparison as people read it, and as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/compare/comparison_output.h"
#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"
#include "ingest/part/table_text.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr double kLargestPercent = 9.99;  // as a change; beyond it is a factor

std::string percent_text(double change) {
  return fmt::format("{:+.1f} %", 100 * change);
}

std::string plain_line(std::string_view text) {
  std::string line = valid_utf8(text);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

// How many columns of a terminal a text takes, but for wide and combining characters.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string number_cell(const Comparison& comparison, const ComparedValue& value) {
  if (comparison.whole_numbers()) return fmt::to_string(value.whole);
  return fmt::format("{:.6g}", value.value);
}

constexpr std::array<std::string_view, 8> kHeads = {"A",        "B",     "difference", "change",
                                                    "interval", "calls", "verdict",    "name"};

std::array<std::string, 8> cells_of(const ComparisonOutput& of, const ComparedRow& row) {
  const ComparedSides& sides = of.sides;
  const Comparison& comparison = of.comparison;
  const auto value = [&](Side side) {
    return row.occurs[side] ? value_text(sides, comparison, row.value[side].value)
                            : std::string("–");
  };
  std::string name = plain_line(sides.labels[row.name]);
  const ComparedName& names = sides.names.names[row.name];
  const std::size_t merged = std::max(names.names[side_a].size(), names.names[side_b].size());
  if (merged > 1) name += fmt::format(" ({})", merged);
  const bool is_torn = side_numbers(sides, side_a, row.name).unfinished ||
                       side_numbers(sides, side_b, row.name).unfinished;
  if (is_torn) name += " (unfinished)";
  return {value(side_a),
          value(side_b),
          difference_text(sides, comparison, row.difference.value),
          change_text(row.occurs[side_a] && row.occurs[side_b] ? row.change : std::nullopt),
          interval_text(sides, row),
          calls_text(sides, row.name),
          verdict_text(comparison, row.verdict),
          name};
}

std::string heading(const ComparisonOutput& of) {
  const Comparison& comparison = of.comparison;
  const ComparisonOptions& options = comparison.options;
  std::string what(word_of(options.measure));
  if (options.measure == Measure::count) what = "calls";
  if (!is_sum(options.measure)) what = fmt::format("{}; self", what);
  if (options.scale == Scale::per) {
    what += fmt::format(" per call of {}", plain_line(of.sides.labels[*comparison.per]));
  }
  if (options.scale == Scale::share) what += ", shares";
  std::string text = fmt::format(
      "{} ↔ {}: {} {} → {}, {}", side_title(of.sides, side_a), side_title(of.sides, side_b), what,
      value_text(of.sides, comparison, comparison.value[side_a].value),
      value_text(of.sides, comparison, comparison.value[side_b].value),
      difference_text(of.sides, comparison, comparison.difference.value));
  if (comparison.change) text += " " + change_text(comparison.change);
  return text;
}

std::vector<std::string> remarks(const ComparisonOutput& of) {
  std::vector<std::string> lines = {tested_sentence(of.sides, of.comparison)};
  if (of.comparison.options.scale == Scale::share) {
    lines.emplace_back("Shares add up to 100 %: if one name takes more, others must take less.");
  }
  for (std::string& warning : warning_sentences(of.sides, of.comparison)) {
    lines.push_back(plain_line(warning));
  }
  return lines;
}

std::string rest_text(const ComparisonOutput& of) {
  std::string text = counts_sentence(of.comparison);
  if (of.rows.size() < of.comparison.rows.size()) {
    text += fmt::format("; {} of {} rows shown", of.rows.size(), of.comparison.rows.size());
  }
  return text;
}

constexpr std::string_view kData[] = {
    "name",    "verdict",    "a",      "b",        "difference", "change", "low",    "high",
    "p",       "p_adjusted", "chance", "count_a",  "count_b",    "self_a", "self_b", "total_a",
    "total_b", "mean_a",     "mean_b", "median_a", "median_b",   "p90_a",  "p90_b",  "p99_a",
    "p99_b",   "min_a",      "min_b",  "max_a",    "max_b"};
constexpr std::size_t kDataTexts = 2;

constexpr std::array<const char*, kHeads.size()> kShown = {
    "Name", "A", "B", "Difference", "Change", "Interval", "Calls", "Verdict"};

std::vector<TextColumn> shown_columns() {
  std::vector<TextColumn> columns;
  for (const std::string_view title : kShown) {
    const bool is_text = columns.empty() || columns.size() + 1 == kShown.size();
    columns.push_back({.key = std::string(title), .numbers = !is_text});
  }
  return columns;
}

void write_shown(const ComparisonOutput& of, const ComparedRow& row, TableWriter& out) {
  const auto cells = cells_of(of, row);
  out.shown(cells.back());
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) out.shown(cells[i]);
}

void write_data(const ComparedSides& sides, const Comparison& comparison, const ComparedRow& row,
                TableWriter& out) {
  const std::string& name = sides.names.names[row.name].text;
  out.text(name.empty() ? std::string_view("(no name)") : name);
  out.text(word_of(row.verdict));
  const auto value = [&](const ComparedValue& one) { out.decimal(number_cell(comparison, one)); };
  for (const Side side : {side_a, side_b}) {
    row.occurs[side] ? value(row.value[side]) : out.null();
  }
  value(row.difference);
  for (const auto& one : {row.change, row.low, row.high, row.p, row.p_adjusted, row.chance}) {
    one&& std::isfinite(*one) ? out.decimal(fmt::to_string(*one)) : out.null();
  }
  const OfSides<SideNumbers> numbers = {side_numbers(sides, side_a, row.name),
                                        side_numbers(sides, side_b, row.name)};
  for (const Side side : {side_a, side_b}) out.count(numbers[side].count);
  for (const auto number_of : {&SideNumbers::self_ns, &SideNumbers::total_ns, &SideNumbers::mean_ns,
                               &SideNumbers::median_ns, &SideNumbers::p90_ns, &SideNumbers::p99_ns,
                               &SideNumbers::min_ns, &SideNumbers::max_ns}) {
    for (const Side side : {side_a, side_b}) {
      row.occurs[side] ? out.number(numbers[side].*number_of) : out.null();
    }
  }
}

// Of what somebody else keeps.
template <class Kept>
std::shared_ptr<const Kept> borrowed(const Kept& kept) {
  return {std::shared_ptr<const Kept>(), &kept};
}

}  // namespace

std::string value_text(const ComparedSides& sides, const Comparison& comparison, double value) {
  const ComparisonOptions& options = comparison.options;
  if (options.scale == Scale::share) return fmt::format("{:.2f} %", 100 * value);
  if (options.measure != Measure::count) return duration_text(value, sides.axis());
  if (options.scale == Scale::recorded) return count_text(static_cast<std::uint64_t>(value));
  return number_text(value);
}

std::string difference_text(const ComparedSides& sides, const Comparison& comparison,
                            double difference) {
  if (difference == 0) return value_text(sides, comparison, 0);
  return (difference < 0 ? "-" : "+") + value_text(sides, comparison, std::abs(difference));
}

std::string change_text(const std::optional<double>& change) {
  if (!change) return "–";
  if (*change == 0) return "0 %";
  if (*change > kLargestPercent) return fmt::format("×{:.1f}", 1 + *change);
  return percent_text(*change);
}

std::string interval_text(const ComparedSides& sides, const ComparedRow& row) {
  if (row.low && row.high) {
    if (*row.high > kLargestPercent)
      return fmt::format("×{:.1f} … ×{:.1f}", 1 + *row.low, 1 + *row.high);
    return fmt::format("{:+.1f} … {:+.1f} %", 100 * *row.low, 100 * *row.high);
  }
  if (row.occurs[side_a] == row.occurs[side_b]) return "";
  const Side side = row.occurs[side_a] ? side_a : side_b;
  const std::size_t all = sides.run_count(side);
  const std::size_t in = side_numbers(sides, side, row.name).runs;
  const char letter = side == side_a ? 'A' : 'B';
  if (in == all) return fmt::format("in all of {}", letter);
  return fmt::format("in {} of {} of {}", in, all, letter);
}

std::string verdict_text(const Comparison& comparison, Verdict verdict) {
  std::string text(word_of(verdict));
  const bool is_guess =
      comparison.tested != Tested::runs && (verdict == Verdict::more || verdict == Verdict::less);
  return is_guess ? text + "?" : text;
}

std::string calls_text(const ComparedSides& sides, std::uint32_t name) {
  const std::uint64_t a = side_numbers(sides, side_a, name).count;
  const std::uint64_t b = side_numbers(sides, side_b, name).count;
  return a == b ? count_text(a) : count_text(a) + " → " + count_text(b);
}

std::string side_title(const ComparedSides& sides, Side side) {
  const auto& runs = sides.runs[side];
  if (runs.empty()) return "nothing";
  const std::filesystem::path path = path_of(runs.front().run->path);
  std::string title = utf8_of(path.filename());
  if (title.empty()) title = utf8_of(path);
  if (runs.size() > 1) title += fmt::format(", {} runs", runs.size());
  return plain_line(title);
}

std::string failed_sentence(const ComparedSides& sides, const Comparison& comparison,
                            const FailedCondition& failed) {
  const auto text_of = [&](double value) {
    if (failed.of_calls && comparison.options.scale == Scale::recorded) {
      return count_text(static_cast<std::uint64_t>(value));
    }
    if (comparison.options.scale == Scale::share) return fmt::format("{:.2f} %", 100 * value);
    return failed.of_calls ? number_text(value) : duration_text(value, sides.axis());
  };
  std::string text = fmt::format("failed: {}: ", failed.condition);
  const auto name = find_name(sides, failed.name);
  if (failed.shows_name && name) text += plain_line(sides.labels[*name]) + ": ";
  text += fmt::format("{} → {}", text_of(failed.a), text_of(failed.b));
  if (failed.change) text += ", " + change_text(failed.change);
  if (failed.low && failed.high) {
    text += fmt::format(" ({:+.1f} … {:+.1f} %)", 100 * *failed.low, 100 * *failed.high);
  }
  return text;
}

std::string comparison_text(const ComparisonOutput& of) {
  std::string out = heading(of) + "\n";
  for (const std::string& line : remarks(of)) out += line + "\n";
  out += "\n";
  std::vector<std::array<std::string, kHeads.size()>> lines;
  std::array<std::size_t, kHeads.size()> widths{};
  std::array<std::string, kHeads.size()> heads;
  std::ranges::copy(kHeads, heads.begin());
  if (of.comparison.tested == Tested::spread) heads[4] = "spread";
  if (of.comparison.tested == Tested::runs) heads[4] = "95 % interval";
  lines.push_back(heads);
  for (const std::uint32_t row : of.rows) {
    lines.push_back(cells_of(of, of.comparison.rows[row]));
  }
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  for (const auto& line : lines) {
    for (std::size_t i = 0; i + 2 < line.size(); ++i) {  // numbers to the right
      out.append(widths[i] - width_of(line[i]), ' ');
      out += line[i] + "  ";
    }
    const std::string& verdict = line[line.size() - 2];
    out += verdict;
    out.append(widths[line.size() - 2] - width_of(verdict) + 2, ' ');
    out += line.back() + "\n";
  }
  return out + "\n" + rest_text(of) + "\n";
}

std::string comparison_markdown(const ComparisonOutput& of) {
  std::string out = "**" + escaped_markdown(heading(of)) + "**\n\n";
  for (const std::string& line : remarks(of)) out += escaped_markdown(line) + "  \n";
  out += "\n";
  TableWriter table(out, {.text = TableText::markdown}, shown_columns());
  table.head();
  for (const std::uint32_t row : of.rows) write_shown(of, of.comparison.rows[row], table);
  return out + "\n" + rest_text(of) + "\n";
}

TakenTable taken_comparison(std::shared_ptr<const ComparedSides> sides,
                            std::shared_ptr<const Comparison> comparison,
                            std::vector<std::uint32_t> rows, TableText form) {
  TakenTable taken{.word = "comparison", .row_count = rows.size()};
  if (form == TableText::markdown) {
    taken.columns = shown_columns();
    taken.write_row = [sides = std::move(sides), comparison = std::move(comparison),
                       rows = std::move(rows)](std::uint64_t row, TableWriter& out) {
      const ComparisonOutput of{
          .sides = *sides, .comparison = *comparison, .rules = {}, .rows = {}};
      write_shown(of, comparison->rows[rows[row]], out);
    };
    return taken;
  }
  for (const std::string_view key : kData) {
    taken.columns.push_back(
        {.key = std::string(key), .numbers = taken.columns.size() >= kDataTexts});
  }
  taken.write_row = [sides = std::move(sides), comparison = std::move(comparison),
                     rows = std::move(rows)](std::uint64_t row, TableWriter& out) {
    write_data(*sides, *comparison, comparison->rows[rows[row]], out);
  };
  return taken;
}

std::string comparison_table(const ComparisonOutput& of, TableForm form) {
  std::string text;
  write_table(taken_comparison(borrowed(of.sides), borrowed(of.comparison),
                               {of.rows.begin(), of.rows.end()}, form.text),
              form, [&text](std::string_view piece) {
                text += piece;
                return true;
              });
  return text;
}

}  // namespace cinderscope
