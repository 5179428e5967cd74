// Table functions, statistics as tables, and functions; all_functions.cc adds them to a database.
#pragma once

#include "ingest/sql/sql_table.h"

namespace cinderscope {

const TableEntry& ancestor_function();
const TableEntry& descendant_function();
const TableEntry& child_function();
const TableEntry& overlap_function();
const TableEntry& slice_at_function();
const TableEntry& idle_function();
const TableEntry& bucket_function();
const TableEntry& series_function();
const TableEntry& name_stat_table();
const TableEntry& call_tree_table();

std::span<const FunctionEntry> aggregate_functions();
std::span<const FunctionEntry> scalar_functions();

void add_all_functions(QueryData& data);

}  // namespace cinderscope
