// The column left of the tracks: heads of groups, names of threads with how busy they are.
#pragma once

#include <cstdint>
#include <string>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// The parts of a row that a click can meet. The icons are there while the pointer is on the row.
enum class GutterPart : std::uint8_t {
  name,
  fold,     // the triangle
  pin,      // of a track
  threads,  // of a head: folds all its threads, or unfolds them
  hide,
  solo,
  note,  // the "2 hidden" of a head
};

// What the pointer is over in the gutter.
struct GutterHit {
  bool over = false;
  GutterPart part = GutterPart::name;
  std::size_t row = 0;  // in TrackList::rows()
};
GutterHit gutter_hit(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                     ImVec2 point);

// Heads go through gutter and tracks, so they are drawn over both. `hovered` lights up.
void draw_gutter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                 const GutterHit& hovered);

// What a note beside the pointer says of the part; empty where nothing is to be said: a name that
// is shown whole needs none.
std::string gutter_help(const Canvas& canvas, const TrackList& tracks, const GutterHit& hovered);

// -- geometry, shared by drawing and pointing

// Where a row's name stands: its middle. It stays in sight while any part of the row is.
float gutter_line_y(const Canvas& canvas, const TrackRow& row, float y, float end);
// Where an icon stands: at a place counted from the right, all of them at those of their own.
Rect gutter_icon(const Canvas& canvas, int place, float middle);
int icon_place(GutterPart part);
// What stands behind the gutter on a head: how many are hidden, or that others are left out.
std::string head_note(const TimelineState& state, const TrackRow& row);

}  // namespace cinderscope
