// What happened to the file of an input since it was opened.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/os/file.h"

namespace cinderscope {

// From the least to what leaves the least of the old file.
enum class FileChange : std::uint8_t {
  none,
  grown,        // became longer; what was there before seems to be the same
  shrunk,       // ends before its former end
  overwritten,  // the same file with other content
  replaced,     // another file lies under its name
};
std::string_view change_name(FileChange change);

// What the file system tells; a file with equal facts may still have other bytes.
FileChange change_between(const FileStatus& then, const FileStatus& now);

// Of one of the files of a trace.
struct DiskChange {
  FileChange what = FileChange::none;
  std::string file;  // its name without folders
  bool operator==(const DiskChange&) const = default;
  explicit operator bool() const { return what != FileChange::none; }
};
// The graver of the two; of equal ones the first.
DiskChange graver(DiskChange one, DiskChange other);

}  // namespace cinderscope
