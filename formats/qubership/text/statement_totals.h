// SQL statements of a recording, added up by their shape over all calls that ran them.
#pragma once

#include <atomic>
#include <vector>

#include "formats/qubership/recording.h"
#include "ingest/format/capabilities.h"

namespace cinderscope::qubership {

// Goes through all traces once; any thread. What is not known, since values are missing, counts as
// a statement of its own. Empty once cancelled.
std::vector<StatementTotal> statement_totals(const Recording& recording,
                                             const std::atomic<bool>& cancelled);

}  // namespace cinderscope::qubership
