#include <emscripten/threading.h>

#include <climits>

#include "ingest/os/passed_signals.h"
#include "ingest/os/thread_priority.h"

namespace cinderscope {

static_assert(sizeof(std::atomic<int>) == sizeof(int));

void run_behind_window() {}  // all threads of a page are alike

void wait_for_change(std::atomic<int>& word, int from, std::chrono::milliseconds longest) {
  emscripten_futex_wait(&word, static_cast<std::uint32_t>(from),
                        static_cast<double>(longest.count()));
}

void wake_waiting(std::atomic<int>& word) {
  emscripten_futex_wake(&word, INT_MAX);
}

// No program is started, so there is none to pass signals to.
PassedSignals::PassedSignals() = default;
void PassedSignals::pass_to(std::int64_t) {}
void PassedSignals::end() {}

}  // namespace cinderscope
