// What the tabs of the lower panel share.
#pragma once

#include <cstdint>

#include "app/session/session.h"
#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

enum class PanelId : std::uint8_t { details, statistics, flame_graph, search, report, calls };

// Lent for one frame.
struct PanelFrame {
  Session& session;
  const Theme& theme;
  Rect area;
};

}  // namespace cinderscope
