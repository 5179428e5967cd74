// A trace of the program itself in a file, which this program opens, too.
#pragma once

#include <string>
#include <utility>

#include "ingest/base/result.h"

namespace cinderscope {

// Records from here to the end of its life; one at a time. The file exists from the start and says
// that the program is running: what is left if it dies.
class SelfTraceFile {
 public:
  // Nothing is recorded if `path` is empty.
  static Result<SelfTraceFile> start(std::string path);
  SelfTraceFile(SelfTraceFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  SelfTraceFile& operator=(SelfTraceFile&&) = delete;
  ~SelfTraceFile();

  // Stops and writes the file. Marks of threads that still run are taken as far as they are done.
  Status finish();

 private:
  explicit SelfTraceFile(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty: not recording
};

}  // namespace cinderscope
