// Threads, their memory and when the process began.
#include <windows.h>

#include <cstdint>

#include "ingest/base/large_pages.h"
#include "ingest/os/process_age.h"
#include "ingest/os/thread_priority.h"

namespace cinderscope {

void run_behind_window() {
  SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

void wait_for_change(std::atomic<int>& word, int from, std::chrono::milliseconds longest) {
  static_assert(sizeof(std::atomic<int>) == sizeof(int));
  WaitOnAddress(&word, &from, sizeof from, static_cast<DWORD>(longest.count()));
}

void wake_waiting(std::atomic<int>& word) {
  WakeByAddressAll(&word);
}

// They need a right that users do not have.
void prefer_large_pages(void*, std::size_t) {}

std::chrono::steady_clock::time_point process_start() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = [] {
    const Clock::time_point now = Clock::now();
    FILETIME began{}, ended{}, in_system{}, in_program{}, time{};
    if (GetProcessTimes(GetCurrentProcess(), &began, &ended, &in_system, &in_program) == 0) {
      return now;
    }
    GetSystemTimeAsFileTime(&time);
    const auto ticks = [](const FILETIME& each) {
      return std::int64_t{each.dwHighDateTime} << 32 | each.dwLowDateTime;
    };
    const std::chrono::nanoseconds age((ticks(time) - ticks(began)) * 100);
    return now - std::chrono::duration_cast<Clock::duration>(age);
  }();
  return start;
}

}  // namespace cinderscope
