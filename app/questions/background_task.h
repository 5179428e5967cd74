// One question at a time, answered on a thread of its own; a newer question replaces an older one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

// The running question's side of it.
template <class Answer>
struct BackgroundQuestion {
  const std::atomic<bool>& cancelled;          // poll it every few milliseconds
  const std::function<void(Answer)>& publish;  // hands over a part of the answer
};

// UI thread only. No call waits for the work but the destructor.
template <class Answer>
class BackgroundTask {
 public:
  using Work = std::function<Answer(const BackgroundQuestion<Answer>&)>;

  // `wake` is called on the worker thread when there is something to take().
  explicit BackgroundTask(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~BackgroundTask() {
    cancel();
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  // Cancels the question before; its answer is dropped.
  void start(Work work) {
    const std::lock_guard lock(mutex_);
    if (cancelled_) cancelled_->store(true);
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    next_ = std::move(work);
    answer_.reset();
    busy_ = true;
    out_of_memory_ = false;
    if (!thread_.joinable()) thread_ = started_thread([this] { run(); });
    if (!thread_.joinable()) {  // as without memory: whoever asked says so
      next_ = nullptr;
      busy_ = false;
      out_of_memory_ = true;
    }
    changed_.notify_all();
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    if (cancelled_) cancelled_->store(true);
    next_ = nullptr;
    answer_.reset();
    busy_ = out_of_memory_ = false;
  }

  // The newest answer that was not taken yet, whole or in part.
  std::optional<Answer> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

  // True once after the newest question ran out of memory; its answer will not come.
  bool take_out_of_memory() {
    const std::lock_guard lock(mutex_);
    return std::exchange(out_of_memory_, false);
  }

  // False once the whole answer is there, taken or not.
  bool busy() const {
    const std::lock_guard lock(mutex_);
    return busy_;
  }

 private:
  void run() {
    lower_this_thread();
    self_trace_thread("questions");
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stop_ || next_; });
      if (stop_) return;
      Work work = std::exchange(next_, nullptr);
      const auto cancelled = cancelled_;
      lock.unlock();
      const std::function<void(Answer)> publish = [this, &cancelled](Answer answer) {
        hand_over(*cancelled, std::move(answer), false);
      };
      try {
        const SelfTraceMark mark("answer a question");
        hand_over(*cancelled, work({*cancelled, publish}), true);
      } catch (const std::bad_alloc&) {
        give_up(*cancelled);
      }
      work = nullptr;  // may free an old timeline, which takes long: not under the lock
      lock.lock();
    }
  }

  void hand_over(const std::atomic<bool>& cancelled, Answer answer, bool whole) {
    {
      const std::lock_guard lock(mutex_);
      if (cancelled) return;
      answer_ = std::move(answer);
      if (whole) busy_ = false;
    }
    if (wake_) wake_();
  }

  void give_up(const std::atomic<bool>& cancelled) {
    {
      const std::lock_guard lock(mutex_);
      if (cancelled) return;
      answer_.reset();
      busy_ = false;
      out_of_memory_ = true;
    }
    if (wake_) wake_();
  }

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the newest question
  Work next_;
  std::optional<Answer> answer_;
  bool busy_ = false, stop_ = false, out_of_memory_ = false;
  std::thread thread_;
};

}  // namespace cinderscope
