// What the context menu offers for what was clicked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/store/settings.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// What a menu is for. The argument of `context-menu` says it: "track N" and "process N" of the
// model, "group NAME" of threads grouped by a pattern, "tab N" from 1, "open" of the tool
// bar's button, "ruler", "overview", "merged", "table", "empty"; nothing: what is selected.
struct MenuTarget {
  enum class Kind : std::uint8_t {
    selection,
    merged,
    track,
    process,
    group,
    tab,
    open,
    ruler,
    overview,
    table,
    histogram,
    empty,
  };
  Kind kind = Kind::selection;
  std::uint64_t number = 0;
  std::string name;  // of a group
};
MenuTarget menu_target(std::string_view argument);

// A line of the menu: commands that run one after the other. Without a label it is a hairline.
struct MenuEntry {
  struct Call {
    std::string name, argument;
  };
  std::string label;
  std::vector<Call> calls;  // the key of the first one stands at the right if it has no argument
  bool enabled = true;
  bool checked = false;
};

struct MenuSource {
  const CommandTable& commands;
  const Timeline* timeline = nullptr;  // null: no trace
  const TimelineState* state = nullptr;
  CommandState enabled;
  std::size_t tab_count = 0;
  std::span<const RecentFile> recent = {};  // newest first
  std::string sample = {};                  // empty: there is none
  bool has_dialog = false;                  // of the desktop
  bool copies_pictures = false;             // the clipboard takes them
  bool spreadsheet_texts = false;           // the setting of that name
};

// Entries that can do nothing now are disabled, not left out, so that each stays in its place.
std::vector<MenuEntry> menu_entries(const MenuTarget& target, const MenuSource& source);

}  // namespace cinderscope
