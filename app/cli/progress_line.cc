#include "app/cli/progress_line.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/os/standard_output.h"
#include "render/text/size_text.h"

namespace cinderscope {

ProgressLine::ProgressLine(const LoadContext& context)
    : ProgressLine([this, &context]() -> std::string {
        if (writing_) return "writing";
        const std::uint64_t done = context.done_bytes(), total = context.total_bytes();
        return total > 0 ? fmt::format("reading {} of {}", size_text(done), size_text(total))
                         : fmt::format("reading {}", size_text(done));
      }) {}

ProgressLine::ProgressLine(std::function<std::string()> text) : text_(std::move(text)) {
  if (error_is_terminal()) thread_ = started_thread([this] { run(); });
}

void ProgressLine::run() {
  constexpr std::chrono::milliseconds kStep{200};
  std::unique_lock lock(mutex_);
  bool shown = false;
  while (!changed_.wait_for(lock, kStep, [this] { return stop_; })) {
    std::fputs(("\r\033[K" + text_()).c_str(), stderr);
    std::fflush(stderr);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

void ProgressLine::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

}  // namespace cinderscope
