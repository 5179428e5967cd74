// The column left of the tracks: process heads, names of threads with how busy they are.
#pragma once

#include <string>
#include <unordered_map>

#include "render/canvas_view.h"
#include "render/layout.h"

namespace cinderscope {

// What the pointer is over in the gutter.
struct GutterHit {
  bool over = false;
  bool hidden_note = false;  // the "+2 hidden" of a process head
  std::size_t row = 0;       // in TrackList::rows()
};
GutterHit gutter_hit(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                     ImVec2 point);

// Process heads go through gutter and tracks, so they are drawn over both. `hovered` lights up.
void draw_gutter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                 const GutterHit& hovered);

}  // namespace cinderscope
