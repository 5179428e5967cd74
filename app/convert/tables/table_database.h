// Tables of traces as a database file of SQLite.
#pragma once

#include <atomic>
#include <span>

#include "app/convert/tables/table_request.h"

namespace cinderscope {

// The calls of threads are the table `slice_row`, numbers alone, and `slice` a view over it.
// Indices above 20 million of them only where they are asked for.
Result<WrittenTables> write_database(std::span<const OpenedTrace> traces,
                                     const TableRequest& request,
                                     const std::atomic<bool>& cancelled);

}  // namespace cinderscope
