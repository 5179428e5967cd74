// Where the statements of an SQL text begin and end; quotes and comments are SQLite's.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace cinderscope {

// From the first byte of a statement, blanks and comments before it left out, to its semicolon or
// the end of the text.
struct StatementRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const StatementRange&) const = default;
};
// Those that are more than blanks and comments. Texts, comments and triggers' bodies may hold
// semicolons; nothing of a trigger is allowed, so those are no exception.
std::vector<StatementRange> statements_of(std::string_view text);
// The one that byte `at` lies in, or the last before it; empty where there is none.
StatementRange statement_at(std::string_view text, std::size_t at);

}  // namespace cinderscope
