// A table of a database as a text file.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "app/convert/tables/table_request.h"

namespace cinderscope {

struct TextOfTable {
  TableText text = TableText::csv;
  std::int64_t trace_id = 0;  // stands in the column of that name; 0: as the database has it
};

// All rows, as a SELECT gives them; the number of them. Cancelled, or the disk is full: an Error.
Result<std::uint64_t> write_table(QueryDatabase& database, const SchemaTable& table,
                                  const TextOfTable& how, OutputFile& out,
                                  const std::atomic<bool>& cancelled);

}  // namespace cinderscope
