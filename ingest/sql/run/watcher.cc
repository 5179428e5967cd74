#include "ingest/sql/run/watcher.h"

#include "ingest/base/parallel.h"

namespace cinderscope {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks(5);

}  // namespace

Watcher::Run::Run(Watcher& watcher, const std::atomic<bool>& cancelled, std::int64_t time_ms)
    : watcher_(watcher) {
  const std::lock_guard lock(watcher_.mutex_);
  watcher_.cancelled_ = &cancelled;
  watcher_.until_ = time_ms > 0 ? steady_clock::now() + std::chrono::milliseconds(time_ms)
                                : steady_clock::time_point::max();
  watcher_.look();
  if (!watcher_.thread_.joinable()) {
    watcher_.thread_ = started_thread([&of = watcher_] { of.watch(); });
  }
  watcher_.wake_.notify_one();
}

Watcher::Run::~Run() {
  const std::lock_guard lock(watcher_.mutex_);
  watcher_.cancelled_ = nullptr;
}

Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    quits_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Watcher::look() {
  if (*cancelled_ || steady_clock::now() >= until_) stop_ = true;
}

void Watcher::watch() {
  std::unique_lock lock(mutex_);
  while (!quits_) {
    if (cancelled_ == nullptr) {
      wake_.wait(lock);
      continue;
    }
    look();
    wake_.wait_for(lock, kBetweenLooks);
  }
}

}  // namespace cinderscope
