#include "app/store/file_check.h"

#include <mutex>
#include <thread>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {

struct FileCheck::Shared {
  std::mutex mutex;
  std::function<void()> wake;  // empty once the owner has gone
  std::vector<std::string> asked;
  std::map<std::string, FileFacts> answers;
  bool running = false;

  static void run(const std::shared_ptr<Shared>& shared) {
    for (;;) {
      std::string path;
      {
        const std::lock_guard lock(shared->mutex);
        if (shared->asked.empty() || !shared->wake) {
          shared->running = false;
          return;
        }
        path = std::move(shared->asked.back());
        shared->asked.pop_back();
      }
      const auto status = file_status(path_of(path));
      FileFacts answer{.there = status.has_value()};
      if (status) {
        answer.is_folder = status->kind == FileKind::folder;
        answer.size_bytes = answer.is_folder ? 0 : status->size_bytes;
        answer.modified_s = status->modified_ns / 1'000'000'000;
      }
      const std::lock_guard lock(shared->mutex);
      shared->answers[path] = answer;
      // Once for all that was asked, if it goes fast.
      if (shared->wake && shared->asked.empty()) shared->wake();
    }
  }
};

FileCheck::FileCheck(std::function<void()> wake) : shared_(std::make_shared<Shared>()) {
  shared_->wake = std::move(wake);
}

FileCheck::~FileCheck() {
  const std::lock_guard lock(shared_->mutex);
  shared_->wake = nullptr;
}

void FileCheck::ask(std::vector<std::string> paths) {
  const std::lock_guard lock(shared_->mutex);
  shared_->asked = std::move(paths);
  if (shared_->asked.empty() || shared_->running) return;
  shared_->running = true;
  std::thread thread = started_thread([shared = shared_] { Shared::run(shared); });
  shared_->running = thread.joinable();
  if (thread.joinable()) thread.detach();
}

std::map<std::string, FileFacts> FileCheck::take() {
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->answers, {});
}

}  // namespace cinderscope
