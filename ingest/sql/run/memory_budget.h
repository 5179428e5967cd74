// What a run of queries may take of memory: SQLite's own blocks and its temporary files.
#pragma once

#include <atomic>
#include <cstdint>

namespace cinderscope {

// Counts for the thread that runs queries. SQLite's blocks are counted from the first database on;
// one that would go beyond the limit is refused, and SQLite ends the statement.
class MemoryBudget {
 public:
  // Once `stop` is set nothing more is given: so what cannot be interrupted otherwise ends as well.
  explicit MemoryBudget(const std::atomic<bool>& stop) : stop_(stop) {}

  void set_limit(std::uint64_t bytes) { limit_bytes_ = bytes; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  // Something was refused since the last time this was asked.
  bool take_exceeded() {
    const bool exceeded = exceeded_;
    exceeded_ = false;
    return exceeded;
  }

  bool take(std::uint64_t bytes) {
    if (stop_.load(std::memory_order_relaxed)) return false;
    if (used_bytes_ + bytes > limit_bytes_) {
      exceeded_ = true;
      return false;
    }
    used_bytes_ += bytes;
    return true;
  }
  // What was taken before the budget was there may be given back as well.
  void give_back(std::uint64_t bytes) { used_bytes_ -= bytes < used_bytes_ ? bytes : used_bytes_; }

 private:
  const std::atomic<bool>& stop_;
  std::uint64_t limit_bytes_ = UINT64_MAX, used_bytes_ = 0;
  bool exceeded_ = false;
};

// While it lives SQLite's blocks of this thread are counted.
class BudgetOfThread {
 public:
  explicit BudgetOfThread(MemoryBudget& budget);
  ~BudgetOfThread();
  BudgetOfThread(const BudgetOfThread&) = delete;
  BudgetOfThread& operator=(const BudgetOfThread&) = delete;

 private:
  MemoryBudget* before_;
};

// Before the first database of the process; any thread.
void count_sqlite_memory();

}  // namespace cinderscope
