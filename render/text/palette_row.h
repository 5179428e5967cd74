// One row of the command palette: what it says and what it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cinderscope {

struct PaletteRow {
  std::string text;
  std::vector<std::uint32_t> offsets;  // of the typed letters, in bytes of `text`
  std::string note;                    // dim behind it: an argument's form, a command's name
  std::string keys;
  bool enabled = true;
  // What it runs. Rows that ask want their argument typed first.
  std::string command, argument;
  bool asks = false;
  bool stays = false;  // running it leaves the palette open
  // What Tab puts into the field; so does Enter where there is no command.
  std::string completes;
  // Of a path, in columns at the right.
  std::string kind, size, date;
  std::optional<bool> ticked;  // has a box to tick
};

}  // namespace cinderscope
