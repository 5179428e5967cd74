#include "ingest/background_thread.h"

#include <atomic>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace cinderscope {
namespace {

std::atomic<bool> window_goes_first{false};

}  // namespace

void let_the_window_go_first() {
  window_goes_first = true;
}

void give_way_to_the_window() {
#ifdef __linux__
  // On Linux a nice value belongs to a thread, setpriority(2) "NOTES", and a step is a quarter of
  // the weight: a busy loader has a quarter of a core that the window wants as well, and does not
  // starve beside other programs.
  constexpr int kNice = 5;
  if (window_goes_first) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
#endif
}

}  // namespace cinderscope
