// What a session shows of a trace, for pictures that need no window.
#pragma once

#include "app/session_file/session_file.h"
#include "ingest/model/scope.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Folding, pins, order, bookmarks, range, selection: all but the view. What is not there any more
// is left out.
void show_as_saved(const SessionTab& saved, const Timeline& timeline, TimelineState& state);

// What Statistics and the flame graph of the tab measure.
Scope saved_scope(const SessionTab& saved, const Timeline& timeline);

}  // namespace cinderscope
