// The program's own picture, for the window's frame and the task bar.
#pragma once

#include <cstdint>
#include <vector>

namespace cinderscope {

struct WindowIcon {
  int side_px = 0;
  std::vector<std::uint8_t> rgba;
};
// assets/cinderscope.png; no pixels if it cannot be read.
WindowIcon window_icon();

}  // namespace cinderscope
