// What the command palette remembers while it is open, and the commands that were used last.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/commands/palette_rows.h"

namespace cinderscope {

struct PaletteState {
  bool open = false;
  std::array<char, 1024> text{};    // what was typed
  const Command* asking = nullptr;  // whose argument is typed; null: a command
  std::vector<PaletteRow> rows;     // for that text
  std::vector<PaletteTarget> targets;
  std::size_t chosen = 0;
  std::size_t rows_shown = 1;
  bool reveal_chosen = false;
  std::vector<Key> pressed;       // since the last frame
  std::vector<CommandId> recent;  // the last used one first
};

}  // namespace cinderscope
