// Two traces compared, as a picture.
#pragma once

#include <string>
#include <vector>

#include "app/picture/picture_options.h"
#include "ingest/format/load_options.h"

namespace cinderscope {

// `sides` are two SIDEs as `compare` takes them. An Error: one cannot be opened or has no calls.
Result<DrawList> draw_difference(const std::vector<std::string>& sides,
                                 const PictureOptions& options, const LoadOptions& load);

}  // namespace cinderscope
