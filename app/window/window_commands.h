// The one list of commands: menus, keys, palette and scripts all go by it.
#pragma once

#include "app/commands/commands.h"

namespace cinderscope {

class AppContext;

const CommandTable& window_commands();

// Reads the arguments and carries the command out. An Error says why it cannot be.
Status run_window_command(AppContext& app, std::string_view name, std::string_view arguments);

}  // namespace cinderscope
