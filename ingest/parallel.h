// Spreading work over threads: a loop, and windows that are made in parallel but used in order.
#pragma once

#include <cstddef>
#include <functional>

namespace cinderscope {

unsigned core_count();

// Calls `work(i)` for every i in [0, count) from up to `jobs` threads; returns when all are done.
// The first exception is thrown again here.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace cinderscope
