// Tasks that one thread hands to others: an arrow (flow) leads from where a task is made to where
// it runs, and an async slice spans its whole life.
//   g++ -O2 -std=c++17 tasks.cc tsd.c -pthread -o tasks && TSD_PATH=tasks.tsd ./tasks &&
//   cinderscope tasks.tsd
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tsd.hpp"

class Queue {
 public:
  Queue() {
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Queue() {
    for (std::size_t i = 0; i < threads_.size(); ++i) add({});
    for (std::thread& thread : threads_) thread.join();
  }

  void add(std::function<void()> work) {
    TSD_FUNCTION();
    const std::lock_guard lock(mutex_);
    TSD_FLOW_BEGIN("task", ++made_);
    TSD_ASYNC_BEGIN("task", made_);
    tasks_.push_back({made_, std::move(work)});
    more_.notify_one();
  }

 private:
  struct Task {
    int number;
    std::function<void()> work;
  };

  void run() {
    TSD_THREAD("task runner");
    for (;;) {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return !tasks_.empty(); });
      TSD_COUNTER("waiting", static_cast<double>(tasks_.size()));
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      TSD_ZONE_AS(zone, "task");
      zone.arg("number", task.number);
      TSD_FLOW_END("task", task.number);
      if (task.work) task.work();
      TSD_ASYNC_END("task", task.number);
      if (!task.work) return;  // the last one
    }
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Task> tasks_;
  std::vector<std::thread> threads_;
  int made_ = 0;
};

int main() {
  Queue queue;
  for (int i = 0; i < 50; ++i) {
    queue.add([] {
      volatile long sum = 0;
      for (int k = 0; k < 100000; ++k) sum = sum + k;
    });
  }
}
