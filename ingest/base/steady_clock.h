// Milliseconds of the steady clock, for waits and delays.
#pragma once

#include <chrono>
#include <cstdint>

namespace cinderscope {

inline std::int64_t steady_now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

inline double ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace cinderscope
