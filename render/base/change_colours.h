// Colours of change between two sides: red where B takes more, blue where it takes less. They never
// stand alone: signs, the side of an edge, hatching and words say the same.
#pragma once

#include <array>

#include "render/base/theme.h"

namespace cinderscope {

struct ChangeColours {
  Rgba same;
  std::array<Rgba, 3> more, less;  // fills, by step
  Rgba more_edge, less_edge;
  Rgba more_text, less_text;
  Rgba on_fill;  // text on any of the fills

  Rgba fill(int step) const {  // -3 to 3, as change_step() gives it
    if (step == 0) return same;
    return step > 0 ? more[static_cast<std::size_t>(step - 1)]
                    : less[static_cast<std::size_t>(-step - 1)];
  }
  Rgba edge(bool is_more) const { return is_more ? more_edge : less_edge; }
  Rgba text(bool is_more) const { return is_more ? more_text : less_text; }
};
const ChangeColours& change_colours(ThemeKind kind);

}  // namespace cinderscope
