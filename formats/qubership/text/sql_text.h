// SQL for people: broken into lines, with its bound values in their places.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::qubership {

// A line for each clause, conditions indented; what stands in quotes or comments stays as it is.
std::string formatted_sql(std::string_view sql);

// `sql` with each "?" replaced by the next of `binds`, which are lines "TYPE: NAME: VALUE". Where
// there are fewer values, the rest stays.
std::string filled_sql(std::string_view sql, std::string_view binds);

// What statements have in common that differ only in their values: numbers and quoted texts are
// "?", lists of them one, blanks and comments one blank.
std::string sql_shape(std::string_view sql);

}  // namespace cinderscope::qubership
