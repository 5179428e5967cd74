// What the key help and the start page list: every command with its keys, and the mouse.
#pragma once

#include <vector>

#include "app/commands/key_map.h"
#include "render/text/key_help.h"

namespace cinderscope {

// All commands by group, those without a key too if `whole`; what the mouse does comes first.
std::vector<KeyHelp> key_help_of(const CommandTable& commands, const KeyMap& keys,
                                 bool wheel_scrolls, bool whole);

}  // namespace cinderscope
