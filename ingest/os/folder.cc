#include "ingest/os/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace cinderscope {

void make_private_folders(const std::filesystem::path& folder) {
  std::filesystem::path part;
  for (const std::filesystem::path& name : folder) {
    part /= name;
    mkdir(part.c_str(), S_IRWXU);
  }
}

FolderLock::FolderLock(const std::filesystem::path& folder) {
  make_private_folders(folder);
  folder_ = UniqueFd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder_) flock(folder_.get(), LOCK_EX);
}

}  // namespace cinderscope
