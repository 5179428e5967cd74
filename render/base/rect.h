// A rectangle on screen.
#pragma once

namespace cinderscope {

// In window pixels.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

inline float right_of(const Rect& rect) {
  return rect.x + rect.width;
}
inline float bottom_of(const Rect& rect) {
  return rect.y + rect.height;
}
inline float middle_y(const Rect& rect) {
  return rect.y + rect.height / 2;
}

}  // namespace cinderscope
