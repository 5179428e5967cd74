// What stands beside the tables of a folder: which there are, and how other programs read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/part/table_text.h"
#include "ingest/sql/query_run.h"

namespace cinderscope {

// What schema.json says. Several processes write into one folder, some of them with other tables.
struct FolderSchema {
  TableText text = TableText::csv;
  std::vector<SchemaTable> tables;  // by name

  // Nullopt: it is no schema.json of ours.
  static std::optional<FolderSchema> from(std::string_view json);
  std::string json() const;
  // Adds tables and columns that are not there yet, columns at the end; true if there were any.
  bool add(const std::vector<SchemaTable>& more);
};

struct FolderScript {
  std::string name, text;
};
// duckdb.sql, with_dask.py, clickhouse.sql, with_spark.py.
std::vector<FolderScript> folder_scripts(const FolderSchema& schema);

}  // namespace cinderscope
