// The tooltip of the slice, merged slices, instant or counter under the pointer.
#pragma once

#include <string>
#include <vector>

#include "render/layout/hit.h"
#include "render/text/time_text.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Its content is made anew only when something else is hovered: totals and self times cost more
// than drawing.
class Tooltip {
 public:
  void reset() { made_ = false; }
  // `counter` kNoTrack unless the pointer is over a counter.
  void draw(const Canvas& canvas, const Hit& hit, TrackId counter, ImVec2 pointer);

 private:
  struct Line {
    std::string strong, dim;  // a number and its meaning
    std::string note{};       // words instead of both
    bool names = false;       // the note is a name
    Rgba swatch = 0;          // of a counter's series
  };
  void make(const Canvas& canvas, const Hit& hit);
  void add_slice(const Canvas& canvas, const SliceRef& slice);
  void add_merged(const Canvas& canvas, const MergedSlices& merged);
  void add_counter(const Canvas& canvas, TrackId counter);
  void note(std::string text);
  void draw_box(const Canvas& canvas, ImVec2 pointer) const;

  bool made_ = false;
  Hit of_;
  std::string title_;
  std::vector<Line> lines_;
};

}  // namespace cinderscope
