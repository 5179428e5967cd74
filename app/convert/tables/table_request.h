// Tables of traces that leave the program: all of them, in a database file or a folder of texts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/session/open_trace.h"
#include "ingest/part/output/output_file.h"
#include "ingest/part/table_text.h"
#include "ingest/sql/query_run.h"

namespace cinderscope {

struct TableRequest {
  std::string out;
  TableText text = TableText::csv;  // of a folder
  OutputPacking packing = OutputPacking::none;
  std::vector<std::string> tables;  // empty: all
  bool args = true;                 // the table `arg`, which is the largest
  bool force = false;               // replaces a database that exists
  bool index = false;               // of a database of any size
};

struct WrittenTables {
  std::uint64_t slices = 0;
  std::map<std::string, std::uint64_t> rows;  // by table
  std::string remark;                         // e.g. that there are no indices
};

// The traces as queries see them, without anything of the machine in their tables.
QueryInput query_input(const OpenedTrace& trace);

// The tables of `schema` that are written; an Error names one that is not there.
Result<std::vector<SchemaTable>> tables_to_write(const QuerySchema& schema,
                                                 const TableRequest& request);

// "SELECT a, b FROM t" of the columns that are no parameters.
std::string select_of(const SchemaTable& table);
// As SQL writes names.
std::string sql_name(std::string_view name);

}  // namespace cinderscope
