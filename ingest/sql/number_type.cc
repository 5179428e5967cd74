#include "ingest/sql/number_type.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope {
namespace {

std::size_t skip_digits(std::string_view& text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  text.remove_prefix(digits);
  return digits;
}

void skip_sign(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
}

// SQLite's numbers in texts: [+-]digits[.digits][e[+-]digits], one side of the point may be empty.
int type_of(std::string_view text) {
  text = trimmed(text);
  std::string_view rest = text;
  skip_sign(rest);
  std::size_t digits = skip_digits(rest);
  if (rest.empty() && digits > 0) {
    const std::string_view whole = text.substr(text.starts_with('+') ? 1 : 0);
    return parse_number<std::int64_t>(whole) ? SQLITE_INTEGER : SQLITE_FLOAT;
  }
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    digits += skip_digits(rest);
  }
  if (digits == 0) return SQLITE_TEXT;
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    skip_sign(rest);
    if (skip_digits(rest) == 0) return SQLITE_TEXT;
  }
  return rest.empty() ? SQLITE_FLOAT : SQLITE_TEXT;
}

}  // namespace

int number_type(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type != SQLITE_TEXT) return type;
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return text == nullptr ? type : type_of(std::string_view(text, size));
}

}  // namespace cinderscope
