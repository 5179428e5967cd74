// Asks the desktop whether windows are to be dark or light.
#pragma once

#include "render/base/theme.h"

namespace cinderscope {

// Dark if the desktop does not tell. Takes some seconds if who is asked hangs, so not for the UI
// thread.
ThemeKind system_theme();

}  // namespace cinderscope
