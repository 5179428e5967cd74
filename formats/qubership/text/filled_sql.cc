#include "formats/qubership/text/filled_sql.h"

#include <algorithm>
#include <array>
#include <vector>

#include "formats/qubership/text/sql_text.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope::qubership {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_plain_number(std::string_view text) {
  const auto digits = [&] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count > 0;
  };
  const auto skip = [&](std::string_view any_of) {
    const bool there = !text.empty() && any_of.find(text.front()) != kNone;
    if (there) text.remove_prefix(1);
    return there;
  };
  skip("-");
  if (!digits()) return false;
  if (skip(".") && !digits()) return false;
  if (skip("eE")) {
    skip("+-");
    if (!digits()) return false;
  }
  return text.empty();
}

bool is_text_type(std::string_view type) {
  std::string upper(type);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  static constexpr std::array<std::string_view, 5> kTexts = {"CHAR", "TEXT", "STRING", "ASCII",
                                                             "CLOB"};
  return std::ranges::any_of(kTexts, [&](auto word) { return upper.find(word) != kNone; });
}

std::string literal(std::string_view type, std::string_view value) {
  if (value == "null" || value == "NULL") return "NULL";
  const bool bare = is_plain_number(value) || value == "true" || value == "false";
  if (bare && !is_text_type(type)) return std::string(value);
  std::string quoted = "'";
  for (const char c : value) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted += '\'';
}

struct Bind {
  std::string_view type, name;
  std::string value;
};

std::vector<Bind> binds_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<Bind> binds;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t type = line.find(": ");
    const std::size_t name = type == kNone ? kNone : line.find(": ", type + 2);
    if (name != kNone) {
      binds.push_back({line.substr(0, type), line.substr(type + 2, name - type - 2),
                       std::string(line.substr(name + 2))});
    } else if (!binds.empty()) {
      // A line of another shape goes on with the value before it.
      binds.back().value.append("\n").append(line);
    } else {
      return {};
    }
  }
  return binds;
}

// Where a value belongs: "?", or a mark with a number or a name behind it.
struct Placeholder {
  std::size_t at = 0, size_bytes = 0;
  char mark = '?';
  std::string_view name;  // empty behind "?"
  std::size_t value = 0;  // of the values, once that is known
};

std::vector<Placeholder> placeholders_of(std::string_view sql) {
  std::vector<Placeholder> found;
  char before = ' ';
  for (std::size_t at = 0; at < sql.size();) {
    const std::string_view rest = sql.substr(at);
    const char c = rest.front();
    std::size_t taken = std::max<std::size_t>(closed_part(rest), 1);
    std::size_t name_bytes = 0;
    // "a::text" is a cast, "x[1:3]" a part of an array, "$" within a word a letter.
    const bool may_lead = !is_sql_word(before) && before != ':';
    if ((c == ':' || c == '$') && may_lead) {
      while (1 + name_bytes < rest.size() && is_sql_word(rest[1 + name_bytes])) ++name_bytes;
      const bool digits = name_bytes > 0 && is_digit(rest[1]);
      if (c == '$' && !digits) name_bytes = 0;
    }
    if (rest.starts_with("::")) {
      taken = 2;
    } else if (c == '?' || name_bytes > 0) {
      taken = 1 + name_bytes;
      found.push_back({at, taken, c, rest.substr(1, name_bytes)});
    }
    at += taken;
    before = sql[at - 1];
  }
  return found;
}

// ":1" and "$2": every number has a value, and every value a number.
bool match_numbers(std::vector<Placeholder>& places, std::size_t value_count) {
  std::vector<bool> used(value_count);
  for (Placeholder& place : places) {
    const auto number = parse_number<std::size_t>(place.name);
    if (!number || *number == 0 || *number > value_count) return false;
    place.value = *number - 1;
    used[place.value] = true;
  }
  return std::ranges::all_of(used, [](bool is) { return is; });
}

bool match_names(std::vector<Placeholder>& places, const std::vector<Bind>& binds) {
  constexpr std::size_t kMost = 1000;  // each name is compared with each
  if (places.size() > kMost || binds.size() > kMost) return false;
  std::vector<bool> used(binds.size());
  for (Placeholder& place : places) {
    bool found = false;
    for (std::size_t i = 0; i < binds.size(); ++i) {
      if (!equals_in_any_case(binds[i].name, place.name)) continue;
      // Named twice with two values: which of them?
      if (found && binds[i].value != binds[place.value].value) return false;
      if (!found) place.value = i;
      found = used[i] = true;
    }
    if (!found) return false;
  }
  return std::ranges::all_of(used, [](bool is) { return is; });
}

bool match(std::vector<Placeholder>& places, const std::vector<Bind>& binds) {
  if (places.empty() || binds.empty()) return false;
  const auto all = [&](auto is) { return std::ranges::all_of(places, is); };
  const auto numbered = [](const Placeholder& p) { return !p.name.empty() && is_digit(p.name[0]); };
  if (!all([&](const Placeholder& p) { return p.mark == places.front().mark; })) return false;
  if (all(numbered)) return match_numbers(places, binds.size());
  if (std::ranges::any_of(places, numbered)) return false;
  if (places.front().mark != '?') return match_names(places, binds);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].value = i;
  return places.size() == binds.size();
}

}  // namespace

FilledSql filled_sql(std::string_view sql, std::string_view binds) {
  constexpr std::size_t kMostBytes = 16u << 20;  // a number may be used again and again
  const std::vector<Bind> values = binds_of(binds);
  std::vector<Placeholder> places = placeholders_of(sql);
  FilledSql filled{.placeholders = places.size(), .values = values.size()};
  if (!match(places, values)) return filled;
  std::size_t from = 0;
  for (const Placeholder& place : places) {
    filled.text += sql.substr(from, place.at - from);
    filled.text += literal(values[place.value].type, values[place.value].value);
    from = place.at + place.size_bytes;
    if (filled.text.size() > kMostBytes) {  // a part of it would be another statement
      filled.text.clear();
      return filled;
    }
  }
  filled.text += sql.substr(from);
  return filled;
}

}  // namespace cinderscope::qubership
