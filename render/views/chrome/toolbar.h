// The bar at the top: name, a tab for each trace, buttons for the most frequent commands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/key_names.h"

namespace cinderscope {

struct ToolbarTab {
  std::string title;  // file name
  std::string path;   // for the tooltip
  bool failed = false;
  bool comparison = false;  // of two traces: the sides' marks stand before the title
};

struct ToolbarFrame {
  const std::vector<ToolbarTab>& tabs;
  std::size_t active = 0;
  bool can_go_back = false, can_go_forward = false, has_trace = false;
  bool shows_ns = false;  // time unit: "ns", else automatic
  const Theme& theme;
  Rect area;                 // 40 px high at scale 1
  std::string session;       // its name, before the tabs; empty: there is none
  double progress = -1;      // of the active tab's load, [0, 1]; negative: not loading
  KeysOf keys_of = nullptr;  // for the tooltips
  // Gets the tab whose head is below the pointer, also while something is dragged there. Null: not
  // asked.
  std::optional<std::size_t>* below_pointer = nullptr;
};

// The area of the search field, between the tabs and the buttons. The bar leaves it free.
Rect search_field_area(const Theme& theme, const Rect& toolbar);

// Runs "tab N", "close N" and "context-menu tab N" (from 1), "tabs", "open", "context-menu open",
// "back", "forward", "fit", "time-unit", "theme", "help". The progress is a 2 px line at the lower
// edge.
void draw_toolbar(const ToolbarFrame& frame, Actions& actions);

}  // namespace cinderscope
