// How a diff of two recordings shows what was added, removed, edited and kept: marks and colours.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope::lincheck {

// The mark that a diff status is shown by; "" for 0, for none, and for one that is not known.
std::string_view diff_mark(std::int8_t status);
// The diff status in words; "" for none.
std::string_view diff_words(std::int8_t status);

// The colour for StringPool::intern: the hue tells the status, the lightness still tells names
// apart.
std::uint32_t diff_colour(std::int8_t status, std::string_view name);

std::vector<LegendEntry> diff_legend();

}  // namespace cinderscope::lincheck
