// A plate in the middle of an area, above all that is drawn there, which is dimmed.
#pragma once

#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// UI thread, within a frame: from its making to its end what is drawn lies on it.
class Plate {
 public:
  Plate(const Theme& theme, const char* id, const Rect& area);
  ~Plate();
  Plate(const Plate&) = delete;
  Plate& operator=(const Plate&) = delete;

  const Pen& pen() const { return pen_; }
  // Draws it as large as that, where the area has so much with a margin; says where it is.
  const Rect& draw(float width_px, float height_px, float margin_px);
  bool pressed_beside() const;  // after draw(); not by the click that opened it

 private:
  Rect area_, plate_;
  Pen pen_;
};

}  // namespace cinderscope
