// How Chromium calls its processes and threads, which descriptors name by numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace cinderscope::perfetto {

// Empty where a number means nothing.
std::string_view chrome_process_name(std::uint64_t type);
std::string_view chrome_thread_name(std::uint64_t type);
inline bool is_chrome_renderer(std::uint64_t type) {
  return type == 2 || type == 40;
}

}  // namespace cinderscope::perfetto
