// Spreading work over threads that are kept for the next time.
#pragma once

#include <cstddef>
#include <functional>

namespace cinderscope {

unsigned core_count();

// Calls `work(i)` for every i in [0, count) from up to `jobs` threads; returns when all are done.
// The first exception is thrown again here; what had not begun by then is left out.
//
// The calling thread is one of them and waits for nobody who has not begun, so calls may be nested
// and made from any number of threads, and a small round costs microseconds. Helpers start when
// they are needed first and sleep in between. Where none is idle another one starts: who asks
// while a trace is loaded shares the cores with the load, thread by thread, and does not queue
// behind it.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace cinderscope
