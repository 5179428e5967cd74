// Draws slices as boxes with their names and states, and instants as diamonds.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "render/layout/box_image.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Keeps the drawable text and the measured width of names from frame to frame.
class LabelCache {
 public:
  struct Label {
    std::string made_safe;  // empty if the name itself can be drawn
    std::string_view text;
    std::string visual;  // in the order of drawing; empty if that is the same
    float width_px = 0;
    std::size_t telling = 0;  // where the telling part begins
  };
  // Keeps views of names, which live as long as the pool; call reset() when pool, font or its size
  // changes.
  const Label& of(const Timeline& timeline, StringId name, const ImFont& font);
  void reset() { labels_.clear(); }

 private:
  std::unordered_map<StringId, Label> labels_;
};

// The boxes that stand out in this frame.
struct Emphasis {
  SliceRef selected, hovered;
  InstantRef selected_instant, hovered_instant;
  StringId hovered_name = kNoName;  // kNoName: nothing is hovered
};

// draw_boxes() draws the boxes; then the caller draws over them; then come outlines, labels and
// instants. The caller sets the clip rectangle.
// `image` shows the boxes of `layout`.
void draw_flame_boxes(const Canvas& canvas, const Layout& layout, const BoxImage& image);
void draw_flame_labels(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
                       LabelCache& labels);

}  // namespace cinderscope
