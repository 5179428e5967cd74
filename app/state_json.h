// What the window shows, as one JSON object: the `state` step of --play.
#pragma once

#include <string>
#include <vector>

#include "app/session.h"
#include "app/statistics_json.h"

namespace cinderscope {

struct WindowFacts {
  int width = 0, height = 0;  // pixels
  float scale = 1;
  std::string theme;  // "dark" or "light"
  double last_frame_ms = 0, median_frame_ms = 0, p99_frame_ms = 0;
};

// `active` null: no tab is open.
std::string state_json(const WindowFacts& window, const std::vector<std::string>& files,
                       const Session* active, const StatisticsFacts& statistics = {});

}  // namespace cinderscope
