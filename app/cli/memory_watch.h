// The process' own memory, its peak while something runs, and the free memory of the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace cinderscope {

// RssAnon + RssShmem of this process, so without mapped input. 0 if unknown.
std::uint64_t own_memory_bytes();

// Memory that the process may still take: free memory of the machine, within the limit of its
// control group. The largest number if neither is known.
std::uint64_t free_memory_bytes();

// Returns freed memory to the system; the allocator would keep nearly all of it, since a trace is
// millions of small pieces. Takes some 50 ms for a GB, so not for the UI thread.
void give_memory_back();

// Samples own_memory_bytes() every few milliseconds from construction to stop().
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
