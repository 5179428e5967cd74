#include "ingest/os/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "ingest/os/file.h"

namespace cinderscope {

UniqueFd create_unique(std::filesystem::path& name, FileAccess access, std::error_code& error) {
  std::string pattern = name.native() + "XXXXXX";
  UniqueFd file(mkostemp(pattern.data(), O_CLOEXEC));
  error = file ? std::error_code() : last_error();
  if (!file) return file;
  name = pattern;
  if (access == FileAccess::as_usual) {
    const mode_t mask = umask(0);  // mkostemp keeps others from reading
    umask(mask);
    fchmod(file.get(), 0666 & ~mask);
  }
  return file;
}

// Reading is enough to have it synchronised, and a file may be closed to writers.
UniqueFd open_to_sync(const std::filesystem::path& path, std::error_code& error) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  error = file ? std::error_code() : last_error();
  return file;
}

void sync_file(const UniqueFd& file, std::error_code& error) {
  error = fsync(file.get()) == 0 ? std::error_code() : last_error();
}

void sync_folder(const std::filesystem::path& folder) {
  const UniqueFd file(
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) fsync(file.get());
}

}  // namespace cinderscope
