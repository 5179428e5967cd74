#include "ingest/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "ingest/base/self_trace.h"
#include "ingest/base/self_trace_thread.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostHelpers = 256;

// One call of parallel_for, on its caller's stack.
struct Round {
  std::size_t count = 0;
  const std::function<void(std::size_t)>* work = nullptr;
  std::atomic<std::size_t> next{0};
  bool is_for_lowered = is_lowered();
  std::mutex failure_mutex;
  std::exception_ptr failure;
  // Guarded by the pool's mutex.
  std::size_t wanted = 0;   // helpers that may still come
  std::size_t helping = 0;  // that are at it
  std::condition_variable left;

  void run() {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        yield_to_ui();
        (*work)(i);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  }
};

class HelperPool {
 public:
  ~HelperPool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  // Runs it with as many helpers as it wants, as far as there are any.
  void run(Round& round) {
    if (round.wanted > 0) call_helpers(round);
    round.run();
    std::unique_lock lock(mutex_);
    std::erase(rounds_, &round);
    wanted_ -= round.wanted;
    round.left.wait(lock, [&round] { return round.helping == 0; });
  }

 private:
  void call_helpers(Round& round) {
    const std::lock_guard lock(mutex_);
    rounds_.push_back(&round);
    wanted_ += round.wanted;
    const std::size_t woken = std::min(idle_, round.wanted);
    while (wanted_ > idle_ + starting_ && helpers_.size() < kMostHelpers) {
      try {
        helpers_.emplace_back([this] { help(); });
      } catch (const std::system_error&) {
        break;  // then there are fewer
      }
      ++starting_;
    }
    for (std::size_t i = 0; i < woken; ++i) wake_.notify_one();
  }

  void help() {
    lower_this_thread();
    const SelfTraceThread named("worker");
    std::unique_lock lock(mutex_);
    --starting_;
    while (true) {
      ++idle_;
      wake_.wait(lock, [this] { return stop_ || !rounds_.empty(); });
      --idle_;
      if (stop_) return;
      Round& round = *rounds_.back();  // the newest: what was asked from within another comes first
      --wanted_;
      ++round.helping;
      if (--round.wanted == 0) rounds_.pop_back();
      lock.unlock();
      {
        const SamePriorityAs caller(round.is_for_lowered);
        round.run();
      }
      lock.lock();
      // The caller sees it once this thread lets go of the mutex, not earlier.
      if (--round.helping == 0) round.left.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Round*> rounds_;  // that want helpers
  std::vector<std::thread> helpers_;
  std::size_t wanted_ = 0;               // by all of them
  std::size_t idle_ = 0, starting_ = 0;  // helpers
  bool stop_ = false;
};

HelperPool& helper_pool() {
  static HelperPool pool;
  return pool;
}

}  // namespace

unsigned core_count() {
  return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  if (count == 0) return;
  Round round;
  round.count = count;
  round.work = &work;
  round.wanted = std::min<std::size_t>(std::max(1u, jobs), count) - 1;
  if (round.wanted == 0) {
    round.run();
  } else {
    helper_pool().run(round);
  }
  if (round.failure) std::rethrow_exception(round.failure);
}

}  // namespace cinderscope
