// What the command palette lists for what has been typed so far.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/key_map.h"
#include "render/text/palette_row.h"

namespace cinderscope {

// A place to go to: a tab, a thread, a bookmark, with the command that goes there.
struct PaletteTarget {
  std::string text;  // "Go to thread worker"
  std::string command, argument;
  std::string note;  // what tells it from others of its name
};

struct PaletteSource {
  const CommandTable& commands;
  const KeyMap& keys;
  CommandState state;
  const std::vector<std::string_view>& recent;  // the last used one first
  const std::vector<PaletteTarget>& targets;
};

// The best ones first; with nothing typed the last used ones, then all others by group. A whole
// call, "zoom-to 0 1000", is a row of its own.
std::vector<PaletteRow> palette_rows(const PaletteSource& source, std::string_view typed);

// While a command's first argument is asked for: the words of its form that fit, then what was
// typed. `choices` are those of an argument COLUMN or PANEL.
std::vector<PaletteRow> argument_rows(const Command& command, std::string_view typed,
                                      std::span<const std::string> choices = {});

struct RankedRow {
  PaletteRow row;
  int score = 0;
};
// Best first; without those that fit far worse than the first: letters strewn over a text mean
// little once there is one that fits well.
std::vector<PaletteRow> best_rows(std::vector<RankedRow> found);

// Puts `command` first; keeps the last eight.
void note_recent(std::vector<std::string_view>& recent, std::string_view command);

}  // namespace cinderscope
