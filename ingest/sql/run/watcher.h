// Sets a flag once a run is cancelled or its time is over, for those who look at nothing else.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace cinderscope {

// Its thread is started with the first run and sleeps between two.
class Watcher {
 public:
  explicit Watcher(std::atomic<bool>& stop) : stop_(stop) {}
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // While it lives a run is watched; `time_ms` 0: it may take any time.
  class Run {
   public:
    Run(Watcher& watcher, const std::atomic<bool>& cancelled, std::int64_t time_ms);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    Watcher& watcher_;
  };

 private:
  void look();
  void watch();

  std::atomic<bool>& stop_;
  std::mutex mutex_;  // guards all below
  std::condition_variable wake_;
  const std::atomic<bool>* cancelled_ = nullptr;  // of the run; null: there is none
  std::chrono::steady_clock::time_point until_;
  bool quits_ = false;
  std::thread thread_;
};

}  // namespace cinderscope
