// Whether the desktop wants dark or light windows: reads the answers of those who know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/base/theme.h"

namespace cinderscope {

// Of what `gdbus call … Settings.Read org.freedesktop.appearance color-scheme` prints, e.g.
// "(<<uint32 1>>,)": 1 is dark, 2 light, 0 no wish.
std::optional<ThemeKind> theme_from_portal(std::string_view printed);

// Of GTK_THEME ("Adwaita:dark") or a gtk-3.0/settings.ini; either may be empty.
std::optional<ThemeKind> theme_from_gtk(std::string_view gtk_theme, std::string_view settings_ini);

// Asks the desktop's portal, then GTK's settings; dark where nobody says anything. Takes up to some
// seconds if the portal hangs: not for the UI thread.
ThemeKind system_theme();

}  // namespace cinderscope
