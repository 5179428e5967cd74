#include "formats/qubership/text/sql_text.h"

#include <algorithm>
#include <array>

#include "ingest/base/ascii.h"

namespace cinderscope::qubership {
namespace {

constexpr auto kNoEnd = std::string_view::npos;

// Begin a line of their own; those with `inner` stand indented under the clause before them.
struct Clause {
  std::string_view words;
  bool inner = false;
};
constexpr std::array kClauses = {
    Clause{"from"},        Clause{"where"},
    Clause{"group by"},    Clause{"order by"},
    Clause{"having"},      Clause{"limit"},
    Clause{"offset"},      Clause{"union all"},
    Clause{"union"},       Clause{"values"},
    Clause{"set"},         Clause{"inner join"},
    Clause{"left join"},   Clause{"left outer join"},
    Clause{"right join"},  Clause{"full join"},
    Clause{"cross join"},  Clause{"join"},
    Clause{"on", true},    Clause{"and", true},
    Clause{"or", true},    Clause{"returning"},
    Clause{"fetch first"}, Clause{"for update"},
};

// How many bytes of `sql` the words take, whatever blanks stand between them; 0 if they are not
// there.
std::size_t words_at(std::string_view sql, std::string_view words) {
  std::size_t at = 0;
  for (const char c : words) {
    if (c == ' ') {
      const std::size_t begin = at;
      while (at < sql.size() && is_blank(sql[at])) ++at;
      if (at == begin) return 0;
    } else if (at < sql.size() && ascii_lower(sql[at]) == c) {
      ++at;
    } else {
      return 0;
    }
  }
  return at < sql.size() && is_sql_word(sql[at]) ? 0 : at;
}

const Clause* clause_at(std::string_view sql, std::size_t& size_bytes) {
  for (const Clause& clause : kClauses) {
    size_bytes = words_at(sql, clause.words);
    if (size_bytes > 0) return &clause;
  }
  return nullptr;
}

}  // namespace

bool is_sql_word(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '$' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::size_t closed_part(std::string_view sql) {
  const auto up_to = [&](std::string_view end, std::size_t from) {
    const std::size_t found = sql.find(end, from);
    return found == kNoEnd ? sql.size() : found + end.size();
  };
  if (sql.starts_with("--")) return up_to("\n", 2);
  if (sql.starts_with("/*")) return up_to("*/", 2);
  const char first = sql.empty() ? '\0' : sql.front();
  if (first == '\'' || first == '"' || first == '`') return up_to({&first, 1}, 1);
  return 0;
}

std::string formatted_sql(std::string_view sql) {
  std::string out;
  int depth = 0;  // of brackets: what is inside stays on its line
  bool word_before = false, blank = false;
  for (std::size_t at = 0; at < sql.size();) {
    const std::string_view rest = sql.substr(at);
    const char c = rest.front();
    if (is_blank(c)) {
      blank = !out.empty();
      word_before = false;
      ++at;
      continue;
    }
    std::size_t size_bytes = 0;
    const Clause* clause = depth == 0 && !word_before ? clause_at(rest, size_bytes) : nullptr;
    if (clause != nullptr && !out.empty()) {
      out += clause->inner ? "\n  " : "\n";
    } else if (blank && !out.ends_with('\n')) {
      out += ' ';
    }
    blank = false;
    if (clause == nullptr) size_bytes = std::max<std::size_t>(closed_part(rest), 1);
    out += rest.substr(0, size_bytes);
    if (size_bytes == 1) depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
    word_before = is_sql_word(out.back());
    at += size_bytes;
  }
  return out;
}

std::string sql_shape(std::string_view sql) {
  std::string shape;
  const auto add_value = [&] {
    // "(?, ?, ?)" is "(?)": how long a list is says nothing of the statement.
    std::size_t end = shape.size();
    while (end > 0 && (shape[end - 1] == ' ' || shape[end - 1] == ',')) --end;
    const bool in_list =
        end < shape.size() && end > 0 && shape[end - 1] == '?' && shape.find(',', end) != kNoEnd;
    if (in_list) {
      shape.resize(end);
    } else {
      shape += '?';
    }
  };
  while (!sql.empty()) {
    const char first = sql.front();
    const std::size_t closed = closed_part(sql);
    const bool comment = closed > 0 && (first == '-' || first == '/');
    std::size_t taken = std::max<std::size_t>(closed, 1);
    if (comment || is_blank(first)) {
      if (!shape.empty() && shape.back() != ' ') shape += ' ';
    } else if (closed > 0 && first == '\'') {
      // A quote within is written twice.
      while (taken < sql.size() && sql[taken] == '\'') taken += closed_part(sql.substr(taken));
      add_value();
    } else if (first == '?') {
      add_value();
    } else if (is_digit(first)) {
      while (taken < sql.size() && (is_sql_word(sql[taken]) || sql[taken] == '.')) ++taken;
      add_value();
    } else if (closed == 0 && is_sql_word(first)) {
      while (taken < sql.size() && is_sql_word(sql[taken])) ++taken;
      shape += sql.substr(0, taken);
    } else {
      shape += sql.substr(0, taken);
    }
    sql.remove_prefix(taken);
  }
  while (!shape.empty() && shape.back() == ' ') shape.pop_back();
  return shape;
}

}  // namespace cinderscope::qubership
