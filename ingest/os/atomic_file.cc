#include "ingest/os/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPendingBytes = std::size_t{1} << 20;
constexpr std::size_t kDirectBytes = std::size_t{1} << 18;  // too much to be copied once more

Error cannot_write(const fs::path& path, std::error_code error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be written: {}.", path.string(), error.message()),
          {}};
}

fs::path behind_links(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_symlink(path, unknown)) return path;
  fs::path real = fs::canonical(path, unknown);
  return real.empty() ? path : real;
}

// The new name of a file is safe once its folder is.
void sync_folder(const fs::path& folder) {
  const UniqueFd file(
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) fsync(file.get());
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& path, FileAccess access) {
  fs::path target = behind_links(path);
  std::string name = target.string() + std::string(kPartEnding) + "XXXXXX";
  UniqueFd file(mkostemp(name.data(), O_CLOEXEC));
  if (!file) return cannot_write(path, last_error());
  if (access == FileAccess::as_usual) {
    const mode_t mask = umask(0);  // mkostemp keeps others from reading
    umask(mask);
    fchmod(file.get(), 0666 & ~mask);
  }
  return AtomicFile(std::move(file), path, std::move(target), name);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  if (bytes.size() >= kDirectBytes) {
    flush();
    if (!error_) write_all(file_, bytes, error_);
    return;
  }
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  if (pending_.size() >= kPendingBytes) flush();
}

void AtomicFile::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  if (!error_) write_at(file_, offset, bytes, error_);
}

void AtomicFile::flush() {
  if (!error_) write_all(file_, pending_, error_);
  pending_.clear();
}

Status AtomicFile::commit(bool waits) {
  flush();
  if (waits && !error_ && fsync(file_.get()) != 0) error_ = last_error();
  if (!error_ && std::rename(temporary_.c_str(), target_.c_str()) != 0) error_ = last_error();
  if (error_) return cannot_write(path_, error_);
  temporary_.clear();
  if (waits) sync_folder(target_.parent_path());
  return cinderscope::ok();
}

fs::path AtomicFile::keep_aside() {
  flush();
  return std::exchange(temporary_, {});
}

Status take_place(const fs::path& aside, const fs::path& path) {
  const fs::path target = behind_links(path);
  const UniqueFd file(open(aside.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || fsync(file.get()) != 0 || std::rename(aside.c_str(), target.c_str()) != 0) {
    return cannot_write(path, last_error());
  }
  sync_folder(target.parent_path());
  return ok();
}

Status replace_file(const fs::path& path, std::string_view text, FileAccess access) {
  auto file = AtomicFile::create(path, access);
  if (!file) return file.error();
  file->append(text);
  return file->commit();
}

}  // namespace cinderscope
