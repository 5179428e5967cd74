// How a diff of two recordings shows what was added, removed, edited and kept: marks and colours.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope::lincheck {

// Of a trace point's diff status; "" below 1 and for what the format does not have.
std::string_view diff_mark(std::int8_t status);
// The same in words; "" below 0.
std::string_view diff_words(std::int8_t status);

// For StringPool::intern: the hue tells the status, the lightness still tells names apart.
std::uint32_t diff_colour(std::int8_t status, std::string_view name);

std::vector<LegendEntry> diff_legend();

}  // namespace cinderscope::lincheck
