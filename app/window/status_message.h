// A line in the status bar that goes after a while.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace cinderscope {

struct StatusMessage {
  std::string text;  // empty: there is none
  std::chrono::seconds time{};
  std::optional<std::chrono::steady_clock::time_point> until;  // once it is seen
};

}  // namespace cinderscope
