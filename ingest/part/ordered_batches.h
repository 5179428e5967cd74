// Batches that one thread fills and uses in order, while others work on those in between.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

// `make` works on a filled batch, on any thread and on several batches at once; `use` gets them in
// the order in which they were filled, on the thread that fills them. A Batch has clear(). At most
// jobs + 2 batches wait. What one batch holds, and with one job everything, stays on the calling
// thread, so this costs nothing for the many threads that have few slices. What `make` throws is
// thrown again where the batch would be used.
template <class Batch>
class OrderedBatches {
 public:
  using Step = std::function<void(Batch& batch)>;

  OrderedBatches(unsigned jobs, Step make, Step use)
      : jobs_(jobs), make_(std::move(make)), use_(std::move(use)) {}
  ~OrderedBatches() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  OrderedBatches(const OrderedBatches&) = delete;
  OrderedBatches& operator=(const OrderedBatches&) = delete;

  // The batch that is being filled.
  Batch& filling() { return filling_->batch; }

  // It is filled; uses some of those before it.
  void push() {
    if (jobs_ <= 1) return use_alone();
    std::unique_lock lock(mutex_);
    if (spare_.empty()) spare_.push_back(std::make_unique<Slot>());
    queue_.push_back(std::exchange(filling_, std::move(spare_.back())));
    spare_.pop_back();
    if (queue_.size() > 1) start_workers();
    wake_.notify_one();
    while (queue_.size() > jobs_ + 2) use_first(lock);
  }
  // Nothing waits any longer, not even what is being filled.
  void finish() {
    if (queue_.empty()) return use_alone();
    push();
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) use_first(lock);
  }

 private:
  enum class State : std::uint8_t { filled, begun, made };
  struct Slot {
    Batch batch;
    State state = State::filled;
    std::exception_ptr failure;
  };

  void use_alone() {
    make_(filling_->batch);
    use_(filling_->batch);
    filling_->batch.clear();
  }

  // Works itself while the first batch is at work elsewhere.
  void use_first(std::unique_lock<std::mutex>& lock) {
    while (queue_.front()->state != State::made) {
      if (!make_one(lock)) made_.wait(lock);
    }
    std::unique_ptr<Slot> slot = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    if (slot->failure) std::rethrow_exception(slot->failure);
    use_(slot->batch);
    slot->batch.clear();
    slot->state = State::filled;
    lock.lock();
    spare_.push_back(std::move(slot));
  }

  // False: every batch was begun.
  bool make_one(std::unique_lock<std::mutex>& lock) {
    for (const auto& slot : queue_) {
      if (slot->state != State::filled) continue;
      Slot& mine = *slot;
      mine.state = State::begun;
      lock.unlock();
      yield_to_ui();
      try {
        make_(mine.batch);
      } catch (...) {
        mine.failure = std::current_exception();
      }
      lock.lock();
      mine.state = State::made;
      made_.notify_one();
      return true;
    }
    return false;
  }

  // The thread that fills works, too.
  void start_workers() {
    while (workers_.size() + 1 < jobs_) {
      std::thread worker = started_thread([this, lowered = is_lowered()] {
        if (lowered) lower_this_thread();
        self_trace_thread("worker");
        std::unique_lock lock(mutex_);
        while (!stop_) {
          if (!make_one(lock)) wake_.wait(lock);
        }
      });
      if (!worker.joinable()) return;  // then there are fewer
      workers_.push_back(std::move(worker));
    }
  }

  const unsigned jobs_;
  const Step make_, use_;
  std::unique_ptr<Slot> filling_ = std::make_unique<Slot>();
  std::mutex mutex_;
  std::condition_variable wake_, made_;
  std::deque<std::unique_ptr<Slot>> queue_;  // in order
  std::vector<std::unique_ptr<Slot>> spare_;
  std::vector<std::thread> workers_;
  bool stop_ = false;
};

}  // namespace cinderscope
