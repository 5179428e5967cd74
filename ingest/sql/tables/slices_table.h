// What all tables of slices and instants have in common: constraints, order, columns.
#pragma once

#include <memory>

#include "ingest/sql/sql_table.h"
#include "ingest/sql/tables/row_facts.h"

namespace cinderscope {

// `rows` outlives the table.
std::unique_ptr<SqlTable> slices_table(const QueryData& data, const RowsOfTable& rows);

}  // namespace cinderscope
