#include "formats/collapsed/collapsed_line.h"

#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/number_text.h"

namespace cinderscope::collapsed {
namespace {

constexpr bool is_stack_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::string_view without_end_blanks(std::string_view text) {
  while (!text.empty() && is_stack_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_count(std::string_view word) {
  if (word.empty() || !is_digit(word.front())) return false;
  const std::size_t point = std::min(word.find('.'), word.size());
  const auto digits = [](std::string_view part) { return std::ranges::all_of(part, is_digit); };
  return digits(word.substr(0, point)) && digits(word.substr(std::min(point + 1, word.size())));
}

LineCount count_of(std::string_view word) {
  if (word.ends_with('.')) word.remove_suffix(1);
  // Nearly all are so: thousandths of 15 digits fit as well.
  if (const auto usual = parse_number<std::int64_t>(word); usual && word.size() <= 15) {
    return {*usual, *usual * 1000, false};
  }
  const auto whole = time_from_decimal(word, 0), thousandths = time_from_decimal(word, 3);
  const std::size_t point = word.find('.');
  const bool fraction = point != std::string_view::npos &&
                        word.find_first_not_of('0', point + 1) != std::string_view::npos;
  return {whole ? whole->ns : 0, thousandths ? thousandths->ns : 0, fraction};
}

// Takes a count and the blanks before it off the end of `line`, if something is left then.
bool take_count(std::string_view& line, LineCount& count) {
  std::size_t begin = line.size();
  while (begin > 0 && (is_digit(line[begin - 1]) || line[begin - 1] == '.')) --begin;
  if (begin == 0 || !is_stack_blank(line[begin - 1])) return false;
  const std::string_view word = line.substr(begin);
  const std::string_view rest = without_end_blanks(line.substr(0, begin));
  if (rest.empty() || !is_count(word)) return false;
  count = count_of(word);
  line = rest;
  return true;
}

}  // namespace

StackLine read_stack_line(std::string_view line) {
  StackLine out;
  std::string_view rest = without_end_blanks(line);
  if (!take_count(rest, out.counts[0])) return out;
  out.stack = rest;
  out.count_number = 1;
  LineCount first;
  if (take_count(rest, first)) {
    out.before = rest;
    out.counts = {first, out.counts[0]};
    out.count_number = 2;
  }
  return out;
}

bool is_remark(std::string_view line) {
  line = without_end_blanks(line);
  return line.empty() || line.front() == '#';
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace cinderscope::collapsed
