#include "app/desktop/display_keys.h"

#include <windows.h>

namespace cinderscope {

bool display_has_shift_held() {
  return GetAsyncKeyState(VK_SHIFT) < 0;
}

// The dialog asks Windows for the window that has the focus.
std::string window_for_dialogs() {
  return {};
}

}  // namespace cinderscope
