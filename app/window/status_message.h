// A line in the status bar that goes after a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace cinderscope {

// Whom a message is about: one tab, or the whole window. What goes on in the background keeps it
// from when it was asked for: another tab may be shown once it ends.
struct MessageOwner {
  std::uint64_t tab = 0;  // its number; 0: the window
};

struct StatusMessage {
  std::string text;  // empty: there is none
  std::chrono::seconds time{};
  std::optional<std::chrono::steady_clock::time_point> until;  // once it is seen
};

}  // namespace cinderscope
