#include "app/session/memory_watch.h"

#include <algorithm>
#include <chrono>

#include "ingest/base/parallel.h"
#include "ingest/os/memory.h"

namespace cinderscope {

MemoryWatch::MemoryWatch()
    : watcher_(started_thread([this] {
        while (!stopping_) {
          peak_bytes_ = std::max<std::uint64_t>(peak_bytes_, own_memory_bytes());
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      })) {}

MemoryWatch::~MemoryWatch() {
  stop();
}

std::uint64_t MemoryWatch::stop() {
  stopping_ = true;
  if (watcher_.joinable()) watcher_.join();
  return std::max<std::uint64_t>(peak_bytes_, own_memory_bytes());
}

}  // namespace cinderscope
