#include "app/store/state_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "ingest/os/unique_fd.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const char* variable, const char* below_home, bool scripted) {
  const char* named = std::getenv(variable);
  if (named != nullptr && named[0] == '/') return std::string(named) + "/cinderscope";
  const char* home = std::getenv("HOME");
  if (scripted || home == nullptr || home[0] != '/') return {};
  return fmt::format("{}/{}/cinderscope", home, below_home);
}

Error failed(const std::string& path, const char* what, int code) {
  return {.code = ErrorCode::cannot_read,
          .text = fmt::format("{} cannot be {} ({}).", path, what, std::strerror(code))};
}

// Private folders, as the XDG base directory specification asks for; those that exist stay as they
// are.
void make_folders(const fs::path& folder) {
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    mkdir(part.c_str(), S_IRWXU);
  }
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(fd, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

StorePlaces store_places(bool scripted) {
  return {.config = folder_of("XDG_CONFIG_HOME", ".config", scripted),
          .state = folder_of("XDG_STATE_HOME", ".local/state", scripted)};
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return path;
  // What ".." means behind a symbolic link only the file system knows.
  const bool steps_back = std::ranges::find(whole, fs::path("..")) != whole.end();
  return steps_back ? whole.string() : whole.lexically_normal().string();
}

Result<std::string> read_small_file(const std::string& path, std::size_t most_bytes) {
  // A pipe in the file's place must not make anybody wait.
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) return std::string();
    return failed(path, "read", errno);
  }
  struct stat facts {};
  if (fstat(fd.get(), &facts) != 0) return failed(path, "read", errno);
  if (!S_ISREG(facts.st_mode)) {
    return Error{.code = ErrorCode::cannot_read, .text = path + " is no file."};
  }
  if (static_cast<std::uint64_t>(facts.st_size) > most_bytes) {
    return Error{.code = ErrorCode::damaged, .text = path + " is too large."};
  }
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = read(fd.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(path, "read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

Status write_small_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  fs::path target = path;
  if (fs::is_symlink(target, ignored)) {
    const fs::path real = fs::canonical(target, ignored);
    if (!real.empty()) target = real;
  }
  make_folders(target.parent_path());
  const std::string aside = fmt::format("{}.part-{}", target.string(), getpid());
  {
    const UniqueFd fd(open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
                           S_IRUSR | S_IWUSR));
    if (!fd) return failed(path, "written", errno);
    if (!write_all(fd.get(), text) || fsync(fd.get()) != 0) {
      const int code = errno;
      unlink(aside.c_str());
      return failed(path, "written", code);
    }
  }
  if (std::rename(aside.c_str(), target.c_str()) != 0) {
    const int code = errno;
    unlink(aside.c_str());
    return failed(path, "written", code);
  }
  const UniqueFd folder(open(target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) fsync(folder.get());
  return ok();
}

FolderLock::FolderLock(const std::string& folder) {
  make_folders(folder);
  fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ >= 0) flock(fd_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace cinderscope
