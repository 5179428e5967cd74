// SQL for people: broken into lines, and what statements have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cinderscope::qubership {

// A line for each clause, conditions indented; what stands in quotes or comments stays as it is.
std::string formatted_sql(std::string_view sql);

// What statements have in common that differ only in their values: numbers and quoted texts are
// "?", lists of them one, blanks and comments one blank.
std::string sql_shape(std::string_view sql);

// Bytes at the head of `sql` that nothing may look into: a quoted text or name, a comment. 0: none.
std::size_t closed_part(std::string_view sql);

bool is_sql_word(char c);  // belongs to a name, a keyword or a number

}  // namespace cinderscope::qubership
