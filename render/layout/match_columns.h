// Which columns of pixels hold matches of a search. No ImGui.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/search/match_set.h"
#include "render/base/viewport.h"

namespace cinderscope {

// One byte for each column of the view: 1 where a match begins. Costs pixels and parts of rows with
// matches, not matches.
std::vector<std::uint8_t> match_columns(const MatchSet& matches, const Viewport& view);

}  // namespace cinderscope
