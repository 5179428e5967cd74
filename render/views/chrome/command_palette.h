// The command palette: a field to type into, and below it the matching commands.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/palette_row.h"

namespace cinderscope {

// Input of one frame. `text`, which ends in a zero byte, `replaced` and `chosen` are written.
struct CommandPaletteFrame {
  const Theme& theme;
  Rect area;           // the whole window
  std::string prompt;  // the command whose argument is typed; empty: any command
  std::string hint;    // faint in the empty field
  std::span<char> text;
  // Where `text` was not typed: what it replaces. The field takes it over, with its cursor at the
  // end.
  std::optional<std::string>& replaced;
  const std::vector<PaletteRow>& rows;
  std::size_t& chosen;
  bool wide = false;           // rows of paths have more columns
  bool reveal_chosen = false;  // a key moved the choice: scroll to it
};

struct CommandPaletteAnswer {
  bool edited = false;   // the text has changed
  bool run = false;      // the chosen row was clicked
  bool outside = false;  // a click outside of the palette
  std::size_t rows_shown = 1;
};
CommandPaletteAnswer draw_command_palette(const CommandPaletteFrame& frame);

}  // namespace cinderscope
