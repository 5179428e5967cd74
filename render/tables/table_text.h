// Fields of CSV and TSV, and how a filter's text is looked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope {

enum class TableText : std::uint8_t {
  csv,  // fields are quoted as RFC 4180 has it where they must be
  tsv,  // tabs and line breaks in fields become blanks
};

// Lines of both end in LF.
void append_field(std::string& out, std::string_view text, TableText form);
constexpr char field_separator(TableText form) {
  return form == TableText::csv ? ',' : '\t';
}

// Without regard to the case of ASCII letters; `lower_part` is in lower case already.
bool contains_text(std::string_view text, std::string_view lower_part);

}  // namespace cinderscope
