// Two traces compared, as a picture.
#pragma once

#include <string>
#include <vector>

#include "app/picture/picture_options.h"
#include "app/session_file/session_inputs.h"
#include "ingest/format/load_options.h"

namespace cinderscope {

// Two SIDEs as `compare` takes them.
Result<SidesToCompare> sides_given(const std::vector<std::string>& sides);

// An Error: a side cannot be opened or has no calls.
Result<DrawList> draw_difference(const SidesToCompare& sides, const PictureOptions& options,
                                 const LoadOptions& load);

}  // namespace cinderscope
