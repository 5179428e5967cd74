// Pictures of what the lower panel shows: flame graph, histogram, statistics.
#pragma once

#include "app/picture/picture_options.h"

namespace cinderscope {

Result<DrawList> draw_panel_picture(const Timeline& timeline, const PictureOptions& options,
                                    Scope scope, unsigned jobs);

}  // namespace cinderscope
