// The strip of tabs above the lower panel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct PanelTab {
  std::string label;
  std::string count;  // behind the label
};

// `area` is 32 px high at scale 1. Returns the active tab: the clicked one, else `active`.
std::size_t draw_panel_tabs(const Theme& theme, const Rect& area, const std::vector<PanelTab>& tabs,
                            std::size_t active);

}  // namespace cinderscope
