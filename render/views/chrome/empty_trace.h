// Stands in the timeline's place where a trace has nothing to draw: says so, and what it has.
#pragma once

#include <string_view>

#include "ingest/model/timeline.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct EmptyTraceFrame {
  const Timeline& timeline;  // without tracks
  const Theme& theme;
  Rect area;
  std::string_view sentence;
};

// Lists processes, threads and what the file says about itself, each to be copied by a click.
void draw_empty_trace(const EmptyTraceFrame& frame, Actions& actions);

}  // namespace cinderscope
