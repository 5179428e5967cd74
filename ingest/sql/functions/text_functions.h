// SQLite's functions of texts that look at no flag, in a form that does.
#pragma once

#include <sqlite3.h>

#include "ingest/sql/query_data.h"

namespace cinderscope {

// Takes the place of instr, replace, trim, ltrim, rtrim, like, glob, length and the collation
// NOCASE. They give what SQLite's give.
void add_text_functions(sqlite3* connection, QueryData& data);

}  // namespace cinderscope
