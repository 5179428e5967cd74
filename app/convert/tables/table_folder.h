// Adds a trace to a folder of tables: one folder a table, one partition a trace.
#pragma once

#include "app/convert/tables/table_request.h"

namespace cinderscope {

// The trace's number in such folders, which is the same everywhere: of its identity. An Error where
// it has none.
Result<std::int64_t> lasting_trace_id(const std::string& path);

// Partitions appear once all of the trace's are whole, and take the place of older ones of the same
// trace. Any number of processes may write into one folder.
Result<WrittenTables> add_to_folder(const OpenedTrace& trace, const TableRequest& request,
                                    unsigned jobs, const std::atomic<bool>& cancelled);

}  // namespace cinderscope
