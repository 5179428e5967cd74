// How much memory of its own the process holds, and the most it held while something ran.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace cinderscope {

// RssAnon + RssShmem of this process: what mapped input does not count towards. 0 if unknown.
std::uint64_t own_memory_bytes();

// What the process may still take: what the machine has, and what its control group allows. The
// largest number if neither is known.
std::uint64_t free_memory_bytes();

// Gives what was freed back to the system: the allocator keeps nearly all of it otherwise, since a
// trace is millions of small pieces. Some 50 ms a GB, so not on the window's thread.
void give_memory_back();

// Looks every few milliseconds from construction until stop().
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::uint64_t stop();  // the largest value seen

 private:
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> peak_bytes_{0};
  std::thread watcher_;
};

}  // namespace cinderscope
