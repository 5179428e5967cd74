// Moves bytes by calls that may move fewer than they are asked to.
#pragma once

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "ingest/os/file.h"

namespace cinderscope {

// Repeats `step(done)`, which moves some bytes and says how many, until all are moved.
template <class Step>
std::size_t move_all(std::size_t bytes, std::error_code& error, Step step) {
  error.clear();
  std::size_t done = 0;
  while (done < bytes) {
    const auto moved = step(done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) error = last_error();
    if (moved <= 0) break;
    done += static_cast<std::size_t>(moved);
  }
  return done;
}

}  // namespace cinderscope
