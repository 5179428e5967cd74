// The table that statements with GROUP BY are rewritten to.
#pragma once

#include "ingest/sql/sql_table.h"

namespace cinderscope {

inline constexpr std::string_view kSliceGroups = "slice_groups";

// Its first argument is a place in QueryData::groupings(), the others are the constants of that
// grouping. Users need not know of it.
const TableEntry& slice_groups_table();

}  // namespace cinderscope
