// Carries selection, folding, hiding and order over when a timeline replaces another of the same
// trace.
#pragma once

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Tracks are found again by kind, pid, tid and name, slices by track, begin, name and record; what
// is not there any more is dropped. The view stays as it is.
TimelineState carried_over(const TimelineState& state, const Timeline& from, const Timeline& to);

}  // namespace cinderscope
