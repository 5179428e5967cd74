// What the editor of queries may complete: tables, columns, functions and names of a trace.
#pragma once

#include "app/questions/query_answer.h"
#include "render/editing/sql_completion.h"

namespace cinderscope {

// Null: nothing is known yet. The schema must outlive the words.
SqlWords words_of(const QueryTraceSchema* schema);

}  // namespace cinderscope
