#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "ingest/os/file.h"
#include "ingest/os/folder.h"

namespace cinderscope {

void FolderBelow::reserve(const std::string& file, std::uint64_t bytes,
                          std::error_code& error) const {
  const UniqueFd to = to_append(file, error);
  if (!to) return;
  const off_t end = lseek(to.get(), 0, SEEK_END);
  if (end < 0 || fallocate(to.get(), FALLOC_FL_KEEP_SIZE, end, static_cast<off_t>(bytes)) == 0) {
    return;
  }
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) error = last_error();
}

}  // namespace cinderscope
