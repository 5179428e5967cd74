#include "ingest/input/file_change.h"

#include <utility>

namespace cinderscope {

std::string_view change_name(FileChange change) {
  switch (change) {
    case FileChange::none:
      return "none";
    case FileChange::grown:
      return "grown";
    case FileChange::shrunk:
      return "shrunk";
    case FileChange::overwritten:
      return "overwritten";
    case FileChange::replaced:
      return "replaced";
  }
  return {};
}

FileChange change_between(const FileStatus& then, const FileStatus& now) {
  if (then.device != now.device || then.inode != now.inode) return FileChange::replaced;
  if (now.size_bytes < then.size_bytes) return FileChange::shrunk;
  if (now.size_bytes > then.size_bytes) return FileChange::grown;
  return now.modified_ns == then.modified_ns ? FileChange::none : FileChange::overwritten;
}

DiskChange graver(DiskChange one, DiskChange other) {
  return other.what > one.what ? std::move(other) : std::move(one);
}

}  // namespace cinderscope
