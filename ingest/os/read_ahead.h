// Brings pages of a mapped file into memory on a thread of its own, for those who must not wait.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace cinderscope {

// For one mapping, which outlives it. Any thread.
class ReadAhead {
 public:
  // What is said to be in memory is believed for a quarter of a second.
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 20;

  ReadAhead() = default;
  virtual ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Whether `bytes` of the mapping `all` are in memory. If not they are read, the ones that were
  // asked for last first, and what lies around them after that.
  bool at_hand(std::span<const std::byte> bytes, std::span<const std::byte> all);

 protected:
  // Tests have others.
  virtual bool in_memory(std::span<const std::byte> bytes) const;
  virtual void read(std::span<const std::byte> bytes) const;  // waits for it
  // Before members of a derived class go.
  void end();

 private:
  void run();
  void ask(std::span<const std::byte> bytes, std::span<const std::byte> around);
  bool is_known(std::uint64_t window) const;
  void note_known(std::uint64_t window);

  struct Wanted {
    std::span<const std::byte> bytes, around;
  };
  static constexpr std::size_t kKnown = 4096;
  std::array<std::atomic<std::uint64_t>, kKnown> known_{};  // windows, and when that was

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Wanted> wanted_;  // the last one is read first
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace cinderscope
