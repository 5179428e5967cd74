// What the user chose once and for all: theme, size, keys, recent files. No ImGui.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "render/timeline_state.h"

namespace cinderscope {

enum class ThemeChoice : std::uint8_t { dark, light, system };

struct RecentFile {
  std::string path;  // absolute
  std::uint64_t size_bytes = 0;
  std::int64_t opened_s = 0;  // since 1970
};

struct Settings {
  ThemeChoice theme = ThemeChoice::dark;
  bool colour_blind = false;
  float scale = 1;  // times that of the screen
  bool reduced_motion = false;
  bool wheel_scrolls = false;
  bool hand_over = false;
  TimeShown time_shown = TimeShown::from_start;
  float panel_px = 0, gutter_px = 0;        // at scale 1; 0: nobody has dragged it
  std::map<std::string, std::string> keys;  // command -> chords, where they are not the table's
  std::vector<RecentFile> recent;           // newest first
};

}  // namespace cinderscope
