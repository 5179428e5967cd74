// The column left of the tracks: heads of groups, names of threads and how busy they are.
#pragma once

#include <cstdint>
#include <string>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// The parts of a row that take clicks. Icons show while the pointer is on the row.
enum class GutterPart : std::uint8_t {
  name,
  fold,     // the triangle
  pin,      // of a track
  threads,  // of a head: folds or unfolds all its threads
  hide,
  solo,
  note,  // the "2 hidden" of a head
};

// The part of the gutter under the pointer.
struct GutterHit {
  bool over = false;
  bool in_gutter = false;  // heads reach over the tracks, too
  GutterPart part = GutterPart::name;
  std::size_t row = 0;  // in TrackList::rows()
  float busy = 0;       // as in VisibleRow
};
GutterHit gutter_hit(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                     ImVec2 point);

// Heads reach over gutter and tracks, so they are drawn over both. `hovered` lights up.
void draw_gutter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                 const GutterHit& hovered);

// The tooltip of a part; empty for a part that needs none.
std::string gutter_help(const Canvas& canvas, const TrackList& tracks, const GutterHit& hovered);

// -- geometry, shared by drawing and pointing

inline constexpr float kNameX = 30;  // of a name, from the gutter's left edge
inline constexpr float kLineY = 13;  // of a name, from the upper edge of its row

// The middle of a row's name. The name stays visible while any part of the row is.
float gutter_line_y(const Canvas& canvas, const TrackRow& row, float y, float end);
// The area of an icon; icons have fixed slots, counted from the right.
Rect gutter_icon(const Canvas& canvas, int place, float middle);
int icon_place(GutterPart part);
// The note on a head right of the gutter: how many threads are hidden, or that others are left out.
std::string head_note(const TimelineState& state, const TrackRow& row);

}  // namespace cinderscope
