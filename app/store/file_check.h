// Looks whether files are still there, on a thread that nobody waits for: a dead network mount may
// hold it for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cinderscope {

struct FileFacts {
  bool there = false;
  std::uint64_t size_bytes = 0;
};

// UI thread only.
class FileCheck {
 public:
  // `wake` is called on another thread when there is something to take().
  explicit FileCheck(std::function<void()> wake);
  ~FileCheck();  // leaves a thread that hangs to itself
  FileCheck(const FileCheck&) = delete;
  FileCheck& operator=(const FileCheck&) = delete;

  // Answers come one by one. While one hangs nothing further is looked at.
  void ask(std::vector<std::string> paths);
  std::map<std::string, FileFacts> take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace cinderscope
