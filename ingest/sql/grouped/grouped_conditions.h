// The conditions of a grouping statement.
#pragma once

#include "ingest/sql/grouped/grouped_expressions.h"

namespace cinderscope {

// Adds what WHERE says to the query's tests. False: something of it does not compare a column with
// constants, or is not joined by AND.
bool add_conditions(StatementTokens where, const GroupedTable& table, Constants& constants,
                    GroupedQuery& query);

}  // namespace cinderscope
