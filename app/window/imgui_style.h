// Dear ImGui's style made to follow the design: tokens for colours, hairlines, no frames.
#pragma once

#include "render/base/theme.h"

namespace cinderscope {

void apply_style(const Theme& theme);

}  // namespace cinderscope
