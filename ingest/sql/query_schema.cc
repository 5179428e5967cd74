#include "ingest/sql/query_schema.h"

#include "ingest/sql/sql_table.h"

namespace cinderscope {

QuerySchema schema_of(const QueryData& data) {
  QuerySchema schema;
  for (const TableEntry* entry : data.tables()) {
    SchemaTable table{.name = std::string(entry->name),
                      .help = std::string(entry->help),
                      .is_function = entry->is_function};
    for (const SqlColumn& column : entry->columns) {
      table.columns.push_back(
          {std::string(column.name), column.kind, std::string(column.help), column.hidden});
    }
    if (entry->row_count != nullptr) {
      const std::int64_t rows = entry->row_count(data);
      table.rows_known = rows >= 0;
      table.rows = rows >= 0 ? static_cast<std::uint64_t>(rows) : 0;
    }
    schema.tables.push_back(std::move(table));
  }
  for (const FunctionEntry* entry : data.functions()) {
    schema.functions.push_back({std::string(entry->name), std::string(entry->arguments),
                                std::string(entry->help), entry->is_aggregate});
  }
  return schema;
}

}  // namespace cinderscope
