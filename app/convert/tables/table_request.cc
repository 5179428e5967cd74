#include "app/convert/tables/table_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/session/merge_offset.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {

QueryInput query_input(const OpenedTrace& trace) {
  const std::string name = shown_file_name(trace.path);
  return {.timeline = std::make_shared<const Timeline>(trace.timeline),
          .source = trace.source,
          .name = name,
          .path = name,
          .format = std::string(trace.format == nullptr ? "merged" : trace.format->name())};
}

Result<std::vector<SchemaTable>> tables_to_write(const QuerySchema& schema,
                                                 const TableRequest& request) {
  for (const std::string& name : request.tables) {
    const bool is_there = std::ranges::any_of(schema.tables, [&](const SchemaTable& table) {
      return table.name == name && !table.is_function;
    });
    if (!is_there) return refused(fmt::format("There is no table \"{}\".", name));
  }
  std::vector<SchemaTable> tables;
  for (const SchemaTable& table : schema.tables) {
    // The first is a view over others, the second tells of the program.
    if (table.is_function || table.name == "thread_slice" || table.name == "help") continue;
    const bool is_asked = request.tables.empty() ||
                          std::ranges::find(request.tables, table.name) != request.tables.end();
    if (!is_asked || (table.name == "arg" && !request.args)) continue;
    SchemaTable shown = table;
    std::erase_if(shown.columns, [](const SchemaColumn& column) { return column.hidden; });
    tables.push_back(std::move(shown));
  }
  return tables;
}

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

std::string select_of(const SchemaTable& table) {
  std::string columns;
  for (const SchemaColumn& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + sql_name(column.name);
  }
  return fmt::format("SELECT {} FROM {}", columns, sql_name(table.name));
}

}  // namespace cinderscope
