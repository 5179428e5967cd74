#include "ingest/os/atomic_file.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPendingBytes = std::size_t{1} << 20;
constexpr std::size_t kDirectBytes = std::size_t{1} << 18;  // too much to be copied once more

Error cannot_write(const fs::path& path, std::error_code error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be written: {}.", utf8_of(path), error.message()),
          {}};
}

fs::path behind_links(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_symlink(path, unknown)) return path;
  fs::path real = fs::canonical(path, unknown);
  return real.empty() ? path : real;
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& path, FileAccess access) {
  fs::path target = behind_links(path);
  fs::path name = target;
  name += kPartEnding;
  std::error_code error;
  UniqueFd file = create_unique(name, access, error);
  if (error) return cannot_write(path, error);
  return AtomicFile(std::move(file), path, std::move(target), std::move(name));
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  file_ = UniqueFd();  // some systems remove no open file
  std::error_code ignored;
  fs::remove(temporary_, ignored);
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
  if (waits && !error_) sync_file(file_, error_);
  if (!error_) replace_by_renaming(temporary_, target_, error_);
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
  std::error_code error;
  if (const UniqueFd file = open_to_sync(aside, error); file) sync_file(file, error);
  if (!error) replace_by_renaming(aside, target, error);
  if (error) return cannot_write(path, error);
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
