// Moves a thread among those of its group, or a whole group among the others.
#pragma once

#include <string_view>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// `verb` is up, down, top, bottom, or before or after the thread `anchor`; threads as
// meant_threads() reads them. Pinned threads move among the pinned ones.
Status move_thread(std::string_view thread, std::string_view verb, std::string_view anchor,
                   const Timeline& timeline, TimelineState& state);

}  // namespace cinderscope
