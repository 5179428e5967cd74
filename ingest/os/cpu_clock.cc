#include "ingest/os/cpu_clock.h"

#include <ctime>

namespace cinderscope {
namespace {

double ms_of(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

double thread_cpu_ms() {
  return ms_of(CLOCK_THREAD_CPUTIME_ID);
}

double process_cpu_ms() {
  return ms_of(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace cinderscope
