// What is chosen of threads beside what is shown: which are selected in the gutter, and how deep
// they are shown.
#pragma once

#include <string_view>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// `how`: "toggle" adds them or takes them away, "to" selects all in the gutter's order from the
// last toggled one to this one, "only" these and no others, "none" gives the selection up. `thread`
// as meant_threads() reads it.
Status select_threads(std::string_view how, std::string_view thread, const Timeline& timeline,
                      TimelineState& state);

// `rows` from 1 on; 0: no limit.
Status limit_depth(std::uint32_t rows, std::string_view thread, const Timeline& timeline,
                   TimelineState& state);

}  // namespace cinderscope
