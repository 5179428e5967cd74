// What tables have in common: text to take away, and how a filter's text is looked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope {

enum class TableText : std::uint8_t {
  csv,  // RFC 4180: fields quoted where they must be, lines end in CR LF
  tsv,  // tabs and line breaks in fields become blanks
};

// One field, and what ends it.
void append_field(std::string& out, std::string_view text, TableText form);
constexpr char field_separator(TableText form) {
  return form == TableText::csv ? ',' : '\t';
}
constexpr std::string_view line_end(TableText form) {
  return form == TableText::csv ? "\r\n" : "\n";
}

// ASCII letters in lower case, all else as it is.
std::string lower_ascii(std::string_view text);
// `lower_part` is in lower case already.
bool contains_text(std::string_view text, std::string_view lower_part);

}  // namespace cinderscope
