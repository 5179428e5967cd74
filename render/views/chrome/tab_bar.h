// The tabs in the tool bar: one for each trace, scrolled where there are too many.
#pragma once

#include "render/views/chrome/toolbar.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Tabs keep their width while there is room, then all get narrower, and from some width on they
// scroll, by the wheel and by arrows; the active one stays in sight. At their end, where not all
// are, there is a button with their number that runs "tabs". How far they are scrolled is kept in
// the current ImGui window.
void draw_tab_bar(const Pen& pen, const ToolbarFrame& frame, float x, float end_x,
                  Actions& actions);

}  // namespace cinderscope
