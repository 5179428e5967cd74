// Reads a trace that is loaded by its index from end to end: counts names, and notes where they
// are.
#pragma once

#include <cstdint>
#include <memory>

#include "formats/lincheck/lookup.h"
#include "ingest/format/name_index.h"

namespace cinderscope::lincheck {

// Any thread, also beside LazyLoad. Threads of the trace are read side by side by `jobs` threads.
// Null once cancelled. `lookup` must outlive what is returned. A step from match to match later
// reads about `window_bytes` of a thread.
std::shared_ptr<const NameIndex> survey_trace(const Lookup& lookup,
                                              const std::shared_ptr<StringPool>& names,
                                              unsigned jobs, std::uint64_t window_bytes,
                                              const std::atomic<bool>& cancelled,
                                              const SurveyProgress& progress);

}  // namespace cinderscope::lincheck
