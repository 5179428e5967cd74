// The Load report panel: what was read, what was odd and how it was handled, facts of the file.
#pragma once

#include <cstdint>
#include <string>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/report_text.h"

namespace cinderscope {

struct ReportFrame {
  const LoadReport& report;
  const Theme& theme;
  Rect area;
  bool offers_index = false;  // "write-index" would help
};

void draw_report(const ReportFrame& frame, Actions& actions);

struct PanelTab {
  std::string label;
  std::uint64_t count = 0;  // shown behind it if not 0
};
// Draws the strip of tabs above the lower panel, 32 px high at scale 1; returns the active tab.
std::size_t draw_panel_tabs(const Theme& theme, const Rect& area, const std::vector<PanelTab>& tabs,
                            std::size_t active);

}  // namespace cinderscope
