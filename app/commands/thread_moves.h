// Moves a thread among those of its group, or a whole group among the others.
#pragma once

#include <string>
#include <string_view>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// "THREAD up|down|top|bottom", "THREAD before THREAD", "THREAD after THREAD"; a THREAD as
// meant_threads() reads it. Pinned threads move among the pinned ones. Returns what is wrong.
std::string move_thread(std::string_view argument, const Timeline& timeline, TimelineState& state);

}  // namespace cinderscope
