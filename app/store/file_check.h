// Checks on a background thread whether files still exist: a dead network mount may block it for
// ever.
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
  bool is_folder = false;
  std::uint64_t size_bytes = 0;  // of a file; what a folder holds is not added up
  std::int64_t modified_s = 0;   // since 1970
};

// UI thread only.
class FileCheck {
 public:
  // `wake` is called on another thread when there is something to take().
  explicit FileCheck(std::function<void()> wake);
  ~FileCheck();  // does not wait for a thread that hangs
  FileCheck(const FileCheck&) = delete;
  FileCheck& operator=(const FileCheck&) = delete;

  // Answers come one by one; while one hangs no other file is checked.
  void ask(std::vector<std::string> paths);
  std::map<std::string, FileFacts> take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace cinderscope
