// The tables and functions of all databases, one line each; all_tables.cc lists them.
#pragma once

#include "ingest/sql/sql_table.h"

namespace cinderscope {

const TableEntry& trace_table();
const TableEntry& process_table();
const TableEntry& thread_table();
const TableEntry& track_table();
const TableEntry& slice_table();
const TableEntry& async_slice_table();
const TableEntry& sample_table();
const TableEntry& thread_slice_table();
const TableEntry& lifetime_table();
const TableEntry& instant_table();
const TableEntry& async_step_table();
const TableEntry& nested_instant_table();
const TableEntry& counter_table();
const TableEntry& counter_sample_table();
const TableEntry& flow_table();
const TableEntry& arg_table();
const TableEntry& diagnostic_table();
const TableEntry& bookmark_table();
const TableEntry& pause_table();
const TableEntry& help_table();

// Where some trace has a list of calls.
void add_call_table(QueryData& data);
// Where a comparison is asked.
void add_compared_table(QueryData& data);

}  // namespace cinderscope
