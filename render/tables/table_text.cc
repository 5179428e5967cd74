#include "render/tables/table_text.h"

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope {

void append_field(std::string& out, std::string_view text, TableText form) {
  if (form == TableText::tsv) {
    for (const char c : text) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    return;
  }
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

bool contains_text(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return ascii_lower(a) == b; }) != text.end();
}

}  // namespace cinderscope
