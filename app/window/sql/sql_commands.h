// The commands of the SQL panel.
#pragma once

#include <span>

#include "app/commands/commands.h"

namespace cinderscope {

std::span<const Command> sql_commands();

}  // namespace cinderscope
