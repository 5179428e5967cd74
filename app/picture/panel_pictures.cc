#include "app/picture/panel_pictures.h"

namespace cinderscope {

Result<DrawList> draw_panel_picture(const Timeline& /*timeline*/, const PictureOptions& /*options*/,
                                    Scope /*scope*/, unsigned /*jobs*/) {
  return refused("not yet");
}

}  // namespace cinderscope
