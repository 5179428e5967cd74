// What the settings page lists: every setting with what it is now and the command that changes it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/store/settings.h"
#include "render/text/key_help.h"

namespace cinderscope {

std::vector<SettingLine> setting_lines(const Settings& settings, const CommandTable& commands,
                                       const CommandState& state);

// Members of the stored settings that have a line, and those that are no choice: they remember how
// the window was left. A test finds a member that is neither.
std::span<const std::string_view> listed_settings();
std::span<const std::string_view> remembered_settings();

}  // namespace cinderscope
