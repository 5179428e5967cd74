// The key help: the keys of all commands over the dimmed window.
#pragma once

#include <string>
#include <vector>

#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/key_help.h"

namespace cinderscope {

struct KeyHelpFrame {
  const Theme& theme;
  Rect area;  // the whole window
  const std::vector<KeyHelp>& keys;
  std::string listening;  // the command that gets the next key pressed; empty: none
  bool whole = false;     // commands without a key are listed too
};
struct KeyHelpAnswer {
  bool close = false;         // a click outside of the help
  bool toggle_whole = false;  // show or hide the commands without a key
  std::string listen, reset;  // the command that gets new keys, or its default keys again
};
// Draws two columns over the dimmed window; they scroll if they need more room.
KeyHelpAnswer draw_key_help(const KeyHelpFrame& frame);

}  // namespace cinderscope
