// Carries selection, folding, hiding and order over to a timeline that replaces another of the same
// trace.
#pragma once

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Finds tracks again by kind, pid, tid and name, slices by track, begin, name and record; what is
// gone is dropped. The view stays as it is.
TimelineState carried_over(const TimelineState& state, const Timeline& from, const Timeline& to);

}  // namespace cinderscope
