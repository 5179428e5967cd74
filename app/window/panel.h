// What the tabs of the lower panel share.
#pragma once

#include <cstdint>

#include "app/session.h"
#include "render/actions.h"
#include "render/theme.h"
#include "render/timeline_view.h"

namespace cinderscope {

enum class PanelId : std::uint8_t { details, statistics, flame_graph, search, report, calls };

// Lent for one frame.
struct PanelFrame {
  Session& session;
  const Theme& theme;
  Rect area;
};

}  // namespace cinderscope
