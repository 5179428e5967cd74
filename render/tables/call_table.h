// The calls of a trace as a table with a column for whatever their records tell, and its SQL
// statements as another.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ingest/format/trace_source.h"
#include "ingest/model/slice_set.h"
#include "render/tables/table_order.h"
#include "render/tables/value_table.h"

namespace cinderscope {

bool has_calls(const Timeline& timeline);

// What calls are measured against: pauses of their processes.
using PauseList = std::vector<std::shared_ptr<const ProcessPauses>>;

// Of all tracks that hold calls. Reads each record, so this is for another thread; what was read is
// shown nothing of until it ends. Null once cancelled.
std::shared_ptr<const ValueTable> call_table(const SliceSet& set, const PauseList& pauses,
                                             const TraceSource& source,
                                             const std::atomic<bool>& cancelled);

// Statement, count, total and mean. Null once cancelled.
std::shared_ptr<const ValueTable> statement_table(const TraceSource& source,
                                                  const std::atomic<bool>& cancelled);

// Texts of the table with characters beyond ASCII, for the fonts; not more than are worth looking
// at.
std::string foreign_texts(const ValueTable& table);

// The order in which each is shown first: calls by their start, statements by their total.
TableOrder first_call_order();
TableOrder first_statement_order();

}  // namespace cinderscope
