// Writes what the window shows as one JSON object: the `state` step of --play.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/output/statistics_json.h"
#include "app/session/session.h"

namespace cinderscope {

// The search of the active tab.
struct SearchFacts {
  std::string text;
  std::uint64_t matches = 0, name_matches = 0, args_matches = 0;
  std::uint64_t current = 0;  // from 1: which of them by time is selected; 0: none
  bool complete = true;       // false while further ones may be found
  std::string error;
  std::string searched = "null";  // the scope as JSON
};

struct WindowFacts {
  int width = 0, height = 0;  // pixels
  float scale = 1;
  std::string theme;                 // "dark" or "light"
  std::string flame_graph = "null";  // as JSON
  std::string query = "null";        // the same
  std::string comparison = "null";   // the same
  std::string session = "null";      // the same
  double last_frame_ms = 0, median_frame_ms = 0, p99_frame_ms = 0;
  // From input to the frame that shows it on screen; input_frames of these are counted.
  double last_input_ms = 0, median_input_ms = 0, p99_input_ms = 0, longest_input_ms = 0;
  std::uint64_t input_frames = 0;
  std::uint64_t presented_frames = 0;  // so far; a frame that looks like the last is not presented
  // Active tab: from opening the trace to the first frame with slices; unset before that.
  std::optional<double> first_picture_ms;
  SearchFacts search;
  std::vector<std::string> notices;  // that stand above the timeline, from top to bottom
  std::string work;                  // what goes on in the background; empty: nothing
  bool growing = false;              // its files are still written
};

// `active` null: no tab is open.
std::string state_json(const WindowFacts& window, const std::vector<std::string>& files,
                       const Session* active, const StatisticsFacts& statistics = {});

}  // namespace cinderscope
