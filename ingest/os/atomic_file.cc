#include "ingest/os/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace cinderscope {
namespace {

constexpr std::size_t kPendingBytes = std::size_t{1} << 20;

Error cannot_write(const std::filesystem::path& path, int error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be written: {}.", path.string(), std::strerror(error)),
          {}};
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  std::string name = path.string() + ".XXXXXX";
  UniqueFd file(mkostemp(name.data(), O_CLOEXEC));
  if (!file) return cannot_write(path, errno);
  const mode_t mask = umask(0);  // mkostemp keeps others from reading
  umask(mask);
  fchmod(file.get(), 0666 & ~mask);
  return AtomicFile(std::move(file), path, name);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  if (pending_.size() >= kPendingBytes) flush();
}

void AtomicFile::flush() {
  std::span<const std::byte> left = pending_;
  while (!left.empty() && error_ == 0) {
    const ssize_t written = write(file_.get(), left.data(), left.size());
    if (written >= 0) {
      left = left.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  pending_.clear();
}

Status AtomicFile::commit() {
  flush();
  if (error_ == 0 && fsync(file_.get()) != 0) error_ = errno;
  if (error_ == 0 && rename(temporary_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) return cannot_write(path_, error_);
  temporary_.clear();
  return cinderscope::ok();
}

}  // namespace cinderscope
