// When this process started.
#pragma once

#include <chrono>

namespace cinderscope {

// When the system started the process, before any of its code ran; exact to about 10 ms. The time
// of the first call if the system does not tell.
std::chrono::steady_clock::time_point process_start();

}  // namespace cinderscope
