// The first call of a name in a trace.
#pragma once

#include <atomic>

#include "ingest/model/slice_set.h"

namespace cinderscope {

// The slice of that name in the tracks' first blocks that begins first, of equal ones the first by
// (track, row); falsy if there is none. Rows are looked at no further than the best so far, by
// `jobs` threads. Any thread.
SliceRef first_call_of(const SliceSet& set, StringId name, unsigned jobs);

}  // namespace cinderscope
