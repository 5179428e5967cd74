#include "app/desktop/system_theme.h"

#include <emscripten.h>

namespace cinderscope {

// What the user chose for pages.
ThemeKind system_theme() {
  const int light = MAIN_THREAD_EM_ASM_INT({
    return globalThis.matchMedia && matchMedia('(prefers-color-scheme: light)').matches ? 1 : 0;
  });
  return light != 0 ? ThemeKind::light : ThemeKind::dark;
}

}  // namespace cinderscope
