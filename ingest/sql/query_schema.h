// What there is to ask in a database, from the tables and functions that are registered.
#pragma once

#include "ingest/sql/query_run.h"

namespace cinderscope {

QuerySchema schema_of(const QueryData& data);

}  // namespace cinderscope
