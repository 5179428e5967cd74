#include "ingest/sql/run/error_place.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"
#include "ingest/sql/sql_tokens.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestWord = 64;

// How many letters have to be changed, put in, left out or swapped with the next.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) last[k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const bool same = a[i - 1] == b[k - 1];
      now[k] = std::min({last[k] + 1, now[k - 1] + 1, last[k - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (swapped) now[k] = std::min(now[k], before[k - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string closest(std::string_view word, const std::vector<std::string_view>& known) {
  word = word.substr(0, kLongestWord);
  const std::string lower = ascii_lower(word);
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view each : known) {
    const std::size_t far = distance(lower, ascii_lower(each));
    if (far >= least || far == 0) continue;
    least = far;
    best = each;
  }
  return std::string(best);
}

}  // namespace

void set_place(QueryOutcome& outcome, std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  outcome.offset = offset;
  const std::optional<SqlToken> token = next_sql_token(text, offset);
  outcome.length = token && token->begin == offset ? token->end - offset : 0;
  outcome.near = valid_utf8(text.substr(offset, std::min(outcome.length, kLongestWord)));
  const std::string_view before = text.substr(0, offset);
  outcome.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  std::string_view line = before.substr(before.rfind('\n') + 1);
  for (outcome.column = 1; !line.empty(); ++outcome.column) {
    line.remove_prefix(std::max<std::uint32_t>(first_char(line).size, 1));
  }
}

std::string hint_for(std::string_view message, const QuerySchema& schema) {
  std::vector<std::string_view> known;
  std::string_view word;
  const auto is_about = [&](std::string_view start) {
    if (!message.starts_with(start)) return false;
    word = message.substr(start.size());
    word = word.substr(word.rfind('.') + 1);
    return true;
  };
  if (is_about("no such column: ")) {
    for (const SchemaTable& table : schema.tables) {
      for (const SchemaColumn& column : table.columns) known.push_back(column.name);
    }
  } else if (is_about("no such table: ")) {
    if (equals_in_any_case(word, "compared")) return "Only the tab of a comparison has it.";
    for (const SchemaTable& table : schema.tables) known.push_back(table.name);
  } else if (is_about("no such function: ")) {
    for (const SchemaFunction& function : schema.functions) known.push_back(function.name);
    for (const std::string_view each :
         {"abs", "avg", "coalesce", "count", "group_concat", "ifnull", "length", "lower", "max",
          "min", "round", "substr", "sum", "total", "trim", "upper"}) {
      known.push_back(each);
    }
  }
  const std::string best = closest(word, known);
  return best.empty() ? best : "Did you mean " + best + "?";
}

}  // namespace cinderscope
