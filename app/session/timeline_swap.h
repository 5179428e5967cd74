// Carries selection, folding, hiding and order over to a timeline that replaces another of the same
// trace.
#pragma once

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// The same calls by another weight of their source: they lie elsewhere, and places mean nothing.
bool is_weighed_anew(const Timeline& from, const Timeline& to);

// Finds tracks again by kind, pid, tid and name, slices by track, begin, name and record; what is
// gone is dropped. The view stays as it is. Of what is weighed anew slices are found by record.
TimelineState carried_over(const TimelineState& state, const Timeline& from, const Timeline& to);

}  // namespace cinderscope
