#include "render/base/theme.h"

namespace cinderscope {

const ThemeColours& theme_colours(ThemeKind kind) {
  static constexpr ThemeColours kDark = {.background = rgb(0x111317),
                                         .panel = rgb(0x181b20),
                                         .raised = rgb(0x20242b),
                                         .line = rgb(0x2b3038),
                                         .grid = rgb(0x1d2026),
                                         .text = rgb(0xd9dce2),
                                         .dim = rgb(0x8d94a0),
                                         .accent = rgb(0xff8f3f),
                                         .on_box = rgb(0x0e1013)};
  static constexpr ThemeColours kLight = {.background = rgb(0xffffff),
                                          .panel = rgb(0xf6f7f9),
                                          .raised = rgb(0xffffff),
                                          .line = rgb(0xdcdfe5),
                                          .grid = rgb(0xeef0f3),
                                          .text = rgb(0x20242b),
                                          .dim = rgb(0x69707c),
                                          .accent = rgb(0xd9620e),
                                          .on_box = rgb(0x16191e)};
  return kind == ThemeKind::dark ? kDark : kLight;
}

}  // namespace cinderscope
