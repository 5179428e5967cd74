#include "app/desktop/display_keys.h"

namespace cinderscope {

// The page tells of Shift with the drop itself.
bool display_has_shift_held() {
  return false;
}

std::string window_for_dialogs() {
  return {};
}

}  // namespace cinderscope
