// Colours of functions where a line has two counts: what a function gained or lost by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope::collapsed {

// A colour (StringPool::intern) for each change, after less before: red where there is more, blue
// where there is less, grey where there is as much. The lightness tells how much of the largest
// change it is.
std::vector<std::uint32_t> colours_of_changes(std::span<const std::int64_t> changes);
std::vector<LegendEntry> legend_of_changes();

}  // namespace cinderscope::collapsed
