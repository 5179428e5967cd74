#include "ingest/os/thread_priority.h"

#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace cinderscope {

static_assert(sizeof(std::atomic<int>) == sizeof(int));

void run_behind_window() {
  // On Linux a nice value belongs to a thread, setpriority(2) "NOTES", and a step is a quarter of
  // the weight: a busy loader has a quarter of a core that the window wants as well, and does not
  // starve beside other programs. Counted from the window's thread: a thread inherits its maker's.
  constexpr int kSteps = 5;
  const int window_nice = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), window_nice + kSteps);
}

void wait_for_change(std::atomic<int>& word, int from, std::chrono::milliseconds longest) {
  const auto ms = longest.count();
  const timespec limit{.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, from, &limit, nullptr, 0);
}

void wake_waiting(std::atomic<int>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace cinderscope
