// Draws the boxes of slices with their names and states, and instants as diamonds.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "render/layout/box_image.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Drawable text and measured width of names, kept from frame to frame.
class LabelCache {
 public:
  struct Label {
    std::string made_safe;  // only where the name itself cannot be drawn
    std::string_view text;
    std::string visual;  // as it is drawn, only where that is another text
    float width_px = 0;
    std::size_t telling = 0;  // where the telling part begins
  };
  // Views of names live as long as the pool; call reset() when pool, font or its size changes.
  const Label& of(const Timeline& timeline, StringId name, const ImFont& font);
  void reset() { labels_.clear(); }

 private:
  std::unordered_map<StringId, Label> labels_;
};

// What stands out among the boxes of this frame.
struct Emphasis {
  SliceRef selected, hovered;
  InstantRef selected_instant, hovered_instant;
  StringId hovered_name = kNoName;  // kNoName: nothing is hovered
};

// Boxes first; then, over what the caller draws on them, outlines, labels and instants. Cut to the
// tracks' rectangle by the caller.
// `image` shows the boxes of `layout`.
void draw_flame_boxes(const Canvas& canvas, const Layout& layout, const BoxImage& image);
void draw_flame_labels(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
                       LabelCache& labels);

}  // namespace cinderscope
