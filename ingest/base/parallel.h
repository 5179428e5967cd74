// Spreading work over threads that are kept for the next time.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

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

// A thread that does `work`; one that cannot be joined where none can be started.
template <class Work>
std::thread started_thread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

// What `work` gives, once it is there; worked out here and now where no thread can be started. The
// future waits for the end when it is destroyed, as that of std::async() does.
template <class Work>
std::future<std::invoke_result_t<Work>> in_background(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
    task();
    return task.get_future();
  }
}

}  // namespace cinderscope
