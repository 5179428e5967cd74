#include "ingest/os/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

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

FolderBelow::FolderBelow(const std::filesystem::path& top, const std::filesystem::path& inner,
                         std::error_code& error) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  error.clear();
  folder_ = UniqueFd(open(top.c_str(), kFolder));
  for (const std::filesystem::path& name : inner) {
    if (!folder_) break;
    mkdirat(folder_.get(), name.c_str(), 0777);
    folder_ = UniqueFd(openat(folder_.get(), name.c_str(), kFolder | O_NOFOLLOW));
  }
  if (!folder_) error = last_error();
}

UniqueFd FolderBelow::to_append(const std::string& file, std::error_code& error) const {
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  error.clear();
  UniqueFd to(openat(folder_.get(), file.c_str(), kAppend, 0666));
  if (!to) error = last_error();
  return to;
}

void FolderBelow::append(const std::string& file, std::span<const std::byte> bytes,
                         std::error_code& error) const {
  const UniqueFd to = to_append(file, error);
  if (!to) return;
  append_to_file(to, bytes, error);
  const off_t end = lseek(to.get(), 0, SEEK_END);
  if (!error && end >= 0 && ftruncate(to.get(), end) != 0) error = last_error();
}

void FolderBelow::remove(const std::string& file) const {
  unlinkat(folder_.get(), file.c_str(), 0);
}

bool FolderBelow::make(const std::string& folder, std::error_code& error) const {
  error.clear();
  if (mkdirat(folder_.get(), folder.c_str(), 0777) == 0) return true;
  if (errno != EEXIST) error = last_error();
  return false;
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  std::string name = utf8_of(place / "cinderscope-XXXXXX");
  if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace cinderscope
