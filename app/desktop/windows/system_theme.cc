#include "app/desktop/system_theme.h"

#include <windows.h>

namespace cinderscope {

// What the user chose for programs, in "Personalisation".
ThemeKind system_theme() {
  DWORD light = 0, bytes = sizeof light;
  const LSTATUS known = RegGetValueW(
      HKEY_CURRENT_USER, L"Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize",
      L"AppsUseLightTheme", RRF_RT_REG_DWORD, nullptr, &light, &bytes);
  return known == ERROR_SUCCESS && light != 0 ? ThemeKind::light : ThemeKind::dark;
}

}  // namespace cinderscope
