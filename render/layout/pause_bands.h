// Where pauses of a process lie on the screen.
#pragma once

#include <vector>

#include "ingest/model/pauses.h"
#include "render/base/rect.h"
#include "render/base/viewport.h"

namespace cinderscope {

struct PauseBand {
  float x0, x1;  // in pixels of the window or picture
};

// The visible pauses over `tracks`, from left to right; pauses closer than a pixel are one. Takes
// as long as there are bands, however many pauses they stand for.
std::vector<PauseBand> pause_bands(const Viewport& view, const Rect& tracks,
                                   const ProcessPauses& pauses);

}  // namespace cinderscope
