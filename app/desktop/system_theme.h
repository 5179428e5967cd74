// Asks the desktop whether windows are to be dark or light.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/base/theme.h"

namespace cinderscope {

// From the output of `gdbus call … Settings.Read org.freedesktop.appearance color-scheme`, e.g.
// "(<<uint32 1>>,)": 1 is dark, 2 light, 0 no preference.
std::optional<ThemeKind> theme_from_portal(std::string_view printed);

// From GTK_THEME ("Adwaita:dark") or a gtk-3.0/settings.ini; either may be empty.
std::optional<ThemeKind> theme_from_gtk(std::string_view gtk_theme, std::string_view settings_ini);

// Asks the desktop's portal, then GTK's settings; dark if neither tells. Takes some seconds if the
// portal hangs, so not for the UI thread.
ThemeKind system_theme();

}  // namespace cinderscope
