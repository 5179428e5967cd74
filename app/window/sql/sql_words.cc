#include "app/window/sql/sql_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/ascii.h"
#include "render/views/sql/sql_side.h"

namespace cinderscope {

SqlWords words_of(const QueryTraceSchema* schema) {
  SqlWords words;
  if (schema == nullptr) return words;
  for (const SchemaTable& table : schema->schema.tables) {
    SqlWords::Table& added = words.tables.emplace_back();
    added.name = table.name;
    added.takes_arguments = table.is_function;
    for (const SchemaColumn& column : table.columns) {
      if (!column.hidden) {
        added.columns.push_back({column.name, std::string(type_for_people(column.kind))});
      }
    }
  }
  for (const SchemaFunction& function : schema->schema.functions) {
    words.functions.push_back(
        {function.name, fmt::format("{}({})", function.name, function.arguments)});
  }
  words.names = [names = &schema->names](std::string_view part, std::size_t most) {
    std::vector<std::string> found, within;
    const std::string wanted = ascii_lower(part);
    for (const std::string& name : *names) {
      const std::size_t at = ascii_lower(name).find(wanted);
      if (at == 0) found.push_back(name);
      if (at != 0 && at != std::string::npos && within.size() < most) within.push_back(name);
      if (found.size() == most) break;
    }
    std::ranges::sort(found);
    std::ranges::sort(within);
    for (std::string& name : within) {
      if (found.size() < most) found.push_back(std::move(name));
    }
    return found;
  };
  return words;
}

}  // namespace cinderscope
