// Spreading work over threads that are kept for the next time.
#pragma once

#include <cstddef>
#include <functional>

namespace cinderscope {

unsigned core_count();

// Calls `work(i)` for every i in [0, count) from up to `jobs` threads; returns when all are done.
// The first exception is thrown again here; work that had not begun by then is left out.
//
// The calling thread takes part and waits only for work that has begun, so calls may be nested and
// made from any number of threads, and a small round costs microseconds. Helper threads are started
// at first need and sleep in between. Where none is idle another one is started: a question asked
// while a trace loads shares the cores with the load instead of queueing behind it.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace cinderscope
