// The command palette: a field to type into, and below it the commands that fit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "render/base/theme.h"
#include "render/layout/palette_row.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

// Lent for one frame. `text`, with its end as a zero byte, and `chosen` are written.
struct CommandPaletteFrame {
  const Theme& theme;
  Rect area;           // the whole window
  std::string prompt;  // whose argument is asked for; empty: any command
  std::string hint;    // faint in the empty field
  std::span<char> text;
  const std::vector<PaletteRow>& rows;
  std::size_t& chosen;
  bool reveal_chosen = false;  // it was moved by a key: scroll to it
};

struct CommandPaletteAnswer {
  bool edited = false;   // the text is another one now
  bool run = false;      // the chosen row was clicked
  bool outside = false;  // the pointer was pressed beside it
  std::size_t rows_shown = 1;
};
CommandPaletteAnswer draw_command_palette(const CommandPaletteFrame& frame);

}  // namespace cinderscope
