// Folders of this user: making them, and keeping others out of them for a while.
#pragma once

#include <filesystem>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

// The folder and those above it, as far as they are missing, for their owner alone, as the XDG base
// directory specification asks for. Folders that exist stay as they are.
void make_private_folders(const std::filesystem::path& folder);

// While it lives no other process that asks for the lock works on the folder's files, where the
// file system can lock. Makes the folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  UniqueFd folder_;
};

}  // namespace cinderscope
