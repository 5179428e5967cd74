// How long this process has been there.
#pragma once

#include <chrono>

namespace cinderscope {

// When the system started the process, before any of its code ran; to about 10 ms. Where the system
// does not tell, when this was asked first.
std::chrono::steady_clock::time_point process_start();

}  // namespace cinderscope
