// Waits for what another thread tells by a `wake` function.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace cinderscope {

// Outlives those that are given its function.
class Wakes {
 public:
  std::function<void()> function() {
    return [this] {
      const std::lock_guard lock(mutex_);
      ++count_;
      woken_.notify_all();
    };
  }
  int count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  // Asks `done` now and after each wake, until it is true; false after half a minute.
  bool wait_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      const int seen = count();
      if (done()) return true;
      std::unique_lock lock(mutex_);
      if (!woken_.wait_until(lock, deadline, [&] { return count_ != seen; })) return false;
    }
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable woken_;
  int count_ = 0;
};

}  // namespace cinderscope
