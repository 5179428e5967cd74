#include "app/collector/collector_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

// Reading growing recordings takes at most a sixth of the time.
constexpr double kPauseTimes = 5;
constexpr std::chrono::duration<double> kLeastPause{1};

}  // namespace

void GrowingRecordings::grew(const CollectedRecording& now) {
  Growing& growing = by_folder_[utf8_of(now.folder)];
  growing.grown = true;
  // The recording has ended: no reason to wait.
  if (now.ended) growing.pause = growing.pause.zero();
}

std::vector<GrowingRecordings::Due> GrowingRecordings::due(Clock::time_point now) {
  std::vector<Due> folders;
  for (auto& [folder, growing] : by_folder_) {
    if (!growing.grown || now - growing.read_at < growing.pause) continue;
    growing.grown = false;
    growing.read_at = now;
    growing.pause = std::max(growing.pause, kLeastPause);
    folders.push_back({folder, !std::exchange(growing.was_due, true)});
  }
  return folders;
}

void GrowingRecordings::again(const std::string& folder) {
  by_folder_[folder].grown = true;
}

void GrowingRecordings::took(const std::string& folder, double seconds) {
  const auto found = by_folder_.find(folder);
  if (found == by_folder_.end()) return;
  found->second.pause = std::max(kLeastPause, std::chrono::duration<double>(kPauseTimes * seconds));
}

std::optional<double> GrowingRecordings::seconds_to_next(Clock::time_point now) const {
  std::optional<double> seconds;
  for (const auto& [folder, growing] : by_folder_) {
    if (!growing.grown) continue;
    const std::chrono::duration<double> left = growing.pause - (now - growing.read_at);
    seconds = std::min(seconds.value_or(left.count()), left.count());
  }
  return seconds ? std::optional(std::max(*seconds, 0.0)) : std::nullopt;
}

Result<std::unique_ptr<CollectorController>> CollectorController::start(
    CollectOptions options, std::function<void()> wake) {
  std::unique_ptr<CollectorController> collecting(new CollectorController());
  CollectorController* self = collecting.get();
  CollectWatcher watcher;
  watcher.log = [](const std::string& line) { fmt::print(stderr, "collect: {}\n", line); };
  watcher.wrote = [self, wake = std::move(wake)](const CollectedRecording& now) {
    {
      const std::lock_guard lock(self->mutex_);
      self->told_.push_back(now);
    }
    wake();
  };
  auto server = CollectServer::start(std::move(options), std::move(watcher));
  if (!server) return server.error();
  collecting->server_ = std::move(*server);
  collecting->thread_ = started_thread([self] { self->server_->run(); });
  if (!collecting->thread_.joinable()) {
    return Error{.code = ErrorCode::refused,
                 .text = "The system starts no more threads, so nothing can be collected."};
  }
  return collecting;
}

CollectorController::~CollectorController() {
  if (!thread_.joinable()) return;
  server_->stop();
  thread_.join();
}

std::vector<GrowingRecordings::Due> CollectorController::due() {
  std::vector<CollectedRecording> told;
  {
    const std::lock_guard lock(mutex_);
    told.swap(told_);
  }
  for (const CollectedRecording& recording : told) growing_.grew(recording);
  return growing_.due(GrowingRecordings::Clock::now());
}

std::optional<double> CollectorController::seconds_to_reload() const {
  return growing_.seconds_to_next(GrowingRecordings::Clock::now());
}

}  // namespace cinderscope
