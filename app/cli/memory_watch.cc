#include "app/cli/memory_watch.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "ingest/base/self_trace.h"

namespace cinderscope {

std::uint64_t own_memory_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kib = 0;
  while (status >> word) {
    if (word != "RssAnon:" && word != "RssShmem:") continue;
    std::uint64_t value = 0;
    status >> value;
    kib += value;
  }
  return kib * 1024;
}

std::uint64_t free_memory_bytes() {
  std::uint64_t free_bytes = UINT64_MAX;
  std::ifstream machine("/proc/meminfo");
  for (std::string word; machine >> word;) {
    if (word != "MemAvailable:") continue;
    std::uint64_t kib = 0;
    if (machine >> kib) free_bytes = kib * 1024;
    break;
  }
  // Of the group that the process sees as its root; "max" where there is no limit.
  std::uint64_t limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit &&
      std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
    free_bytes = std::min(free_bytes, limit > used ? limit - used : 0);
  }
  return free_bytes;
}

void give_memory_back() {
  const SelfTraceMark mark("give memory back");
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

MemoryWatch::MemoryWatch()
    : watcher_([this] {
        while (!stopping_) {
          peak_bytes_ = std::max<std::uint64_t>(peak_bytes_, own_memory_bytes());
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      }) {}

MemoryWatch::~MemoryWatch() {
  stop();
}

std::uint64_t MemoryWatch::stop() {
  stopping_ = true;
  if (watcher_.joinable()) watcher_.join();
  return std::max<std::uint64_t>(peak_bytes_, own_memory_bytes());
}

}  // namespace cinderscope
