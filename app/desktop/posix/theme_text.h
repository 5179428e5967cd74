// What desktops with a portal, or with GTK, print about their theme.
#pragma once

#include <optional>
#include <string_view>

#include "render/base/theme.h"

namespace cinderscope {

// From the output of `gdbus call … Settings.Read org.freedesktop.appearance color-scheme`, e.g.
// "(<<uint32 1>>,)": 1 is dark, 2 light, 0 no preference.
std::optional<ThemeKind> theme_from_portal(std::string_view printed);

// From GTK_THEME ("Adwaita:dark") or a gtk-3.0/settings.ini; either may be empty.
std::optional<ThemeKind> theme_from_gtk(std::string_view gtk_theme, std::string_view settings_ini);

}  // namespace cinderscope
