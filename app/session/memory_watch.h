// The peak of the process' own memory while something runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace cinderscope {

// Samples own_memory_bytes(), if a thread can be started for it, every few milliseconds from
// construction to stop().
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::uint64_t stop();  // returns the largest sample

 private:
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> peak_bytes_{0};
  std::thread watcher_;
};

}  // namespace cinderscope
