// Plays the agent of a recorded session against a collector.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cinderscope {

struct PlayedSession {
  std::vector<std::byte> sent;  // all that the agent said, with the handles it was given
  std::string problem;          // what is wrong with an answer; empty if nothing
};

// `ask` is given what the agent says next, and returns what is answered. Handles are those that
// the collector gives.
PlayedSession play_session(
    std::span<const std::byte> recorded,
    const std::function<std::vector<std::byte>(std::span<const std::byte>)>& ask);

}  // namespace cinderscope
