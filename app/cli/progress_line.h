// How far a long command has come, on standard error, where somebody looks at it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "ingest/format/load_context.h"

namespace cinderscope {

// A line that is written over, and gone at the end; nothing at all unless standard error is a
// terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const LoadContext& context);
  explicit ProgressLine(std::function<std::string()> text);  // any thread
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void now_writing() { writing_ = true; }  // until then it tells how much is read
  void end();

 private:
  void run();

  std::function<std::string()> text_;
  std::atomic<bool> writing_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace cinderscope
