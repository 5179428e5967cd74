// Statements with their bound values in the places of their placeholders.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cinderscope::qubership {

struct FilledSql {
  std::string text;  // empty where they do not fit, or where it would be longer than 16 MiB
  std::size_t placeholders = 0, values = 0;
  bool fits() const { return !text.empty(); }
};
// `binds` are lines "TYPE: NAME: VALUE". Placeholders are "?", which take the values one by one,
// ":1" and "$1", which say which, or ":name"; of one kind only. Nothing is put in unless each
// placeholder has one value and each value a placeholder.
FilledSql filled_sql(std::string_view sql, std::string_view binds);

}  // namespace cinderscope::qubership
