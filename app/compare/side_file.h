// Saved sides: the numbers of each run in a file, for baselines without the old traces.
#pragma once

#include <string>
#include <string_view>

#include "ingest/base/result.h"
#include "ingest/compare/compared_sides.h"

namespace cinderscope {

// The first member of such a file.
inline constexpr std::string_view kSavedSide = "cinderscope_side";

std::string saved_side(const SideRuns& side);
// An Error has the offset of what is wrong. Runs have no slices: what is made of calls (timelines,
// flame graph) is not there.
Result<SideRuns> read_side(std::string_view json);
Result<SideRuns> read_side_file(const std::string& path);
// Cheap: looks at the first bytes of the file.
bool is_saved_side(const std::string& path);

}  // namespace cinderscope
