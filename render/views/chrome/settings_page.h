// The settings page: all settings over the dimmed window, each with what it may be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/key_help.h"

namespace cinderscope {

struct SettingsPageFrame {
  const Theme& theme;
  Rect area;                           // the whole window
  std::span<const SettingLine> lines;  // those of a group one after the other
  std::string_view file;               // where they are kept; empty: nowhere
};

struct SettingsPageAnswer {
  bool close = false;  // a click outside of it
  std::optional<SettingLine::Word> pressed;
};
// The lines scroll if they need more room.
SettingsPageAnswer draw_settings_page(const SettingsPageFrame& frame);

}  // namespace cinderscope
