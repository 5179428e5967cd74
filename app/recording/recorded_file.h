// The file that the recorder of thread streams makes, seen from outside while it comes.
#pragma once

#include <optional>
#include <string>

#include "ingest/os/file.h"

namespace cinderscope {

class RecordedFile {
 public:
  // What lies there now was made by someone else.
  explicit RecordedFile(std::string path);

  const std::string& path() const { return path_; }
  // It is a new one: the recorder takes away what was there.
  bool there() const;
  // It can be read while the program runs: it grows where it is, or is complete already.
  bool can_be_shown() const;

 private:
  std::string path_;
  std::optional<FileStatus> before_;
};

}  // namespace cinderscope
