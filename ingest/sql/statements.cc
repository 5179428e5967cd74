#include "ingest/sql/statements.h"

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope {

namespace {

bool is_word(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

std::size_t after(std::string_view text, std::string_view what, std::size_t from) {
  const std::size_t found = text.find(what, from);
  return found == std::string_view::npos ? text.size() : found + what.size();
}

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text.substr(at).starts_with("--")) {
      at = after(text, "\n", at);
    } else if (text.substr(at).starts_with("/*")) {
      at = after(text, "*/", at + 2);
    } else {
      break;
    }
  }
  return at;
}

std::size_t token_end(std::string_view text, std::size_t at) {
  const char first = text[at];
  if (first == '\'' || first == '"' || first == '`') {
    for (++at; at < text.size(); ++at) {
      if (text[at] != first) continue;
      if (at + 1 == text.size() || text[at + 1] != first) return at + 1;
      ++at;  // twice stands for itself
    }
    return at;
  }
  if (first == '[') return after(text, "]", at);
  if (is_word(first) || ((first == ':' || first == '@' || first == '#') && at + 1 < text.size() &&
                         is_word(text[at + 1]))) {
    for (++at; at < text.size() && is_word(text[at]); ++at) {
    }
    return at;
  }
  return at + 1;
}

std::vector<StatementRange> statements_of(std::string_view text) {
  std::vector<StatementRange> all;
  for (std::size_t at = skip_blanks(text, 0); at < text.size(); at = skip_blanks(text, at)) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != ';') at = skip_blanks(text, token_end(text, at));
    if (at > begin) all.push_back({begin, std::min(at + 1, text.size())});
    if (at < text.size()) ++at;
  }
  return all;
}

StatementRange statement_at(std::string_view text, std::size_t at) {
  StatementRange found;
  for (const StatementRange& each : statements_of(text)) {
    if (each.begin > at && found.end > 0) break;
    found = each;
    if (at < each.end) break;
  }
  return found;
}

}  // namespace cinderscope
