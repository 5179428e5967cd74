#include "render/base/change_colours.h"

namespace cinderscope {

// Text has at least 4.5:1 on every fill, and more and less of equal step stay apart under the three
// kinds of colour blindness.
const ChangeColours& change_colours(ThemeKind kind) {
  static constexpr ChangeColours kDark = {.same = rgb(0x3e4043),
                                          .more = {rgb(0x773b3e), rgb(0x973e45), rgb(0xb53d4a)},
                                          .less = {rgb(0x365270), rgb(0x315f8d), rgb(0x2b6ba6)},
                                          .more_edge = rgb(0xf36d77),
                                          .less_edge = rgb(0x67aaed),
                                          .more_text = rgb(0xf0848b),
                                          .less_text = rgb(0x6db1ea),
                                          .on_fill = rgb(0xe6e8ec)};
  static constexpr ChangeColours kLight = {.same = rgb(0xe0e1e4),
                                           .more = {rgb(0xfacaca), rgb(0xf7b3b4), rgb(0xf79497)},
                                           .less = {rgb(0xc2daf5), rgb(0xa6cbf3), rgb(0x82b9f2)},
                                           .more_edge = rgb(0xda4053),
                                           .less_edge = rgb(0x2b7ec9),
                                           .more_text = rgb(0xb3273c),
                                           .less_text = rgb(0x1d659f),
                                           .on_fill = rgb(0x16191e)};
  return kind == ThemeKind::dark ? kDark : kLight;
}

}  // namespace cinderscope
