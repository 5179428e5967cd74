#include "ingest/os/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/os/file.h"
#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kLeastReservedBytes = 64u << 20;

UniqueFd unlinked_file_in(const std::string& folder) {
  UniqueFd file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  std::string name = folder + "/cinderscope-XXXXXX";  // for file systems without O_TMPFILE
  file = UniqueFd(mkostemp(name.data(), O_CLOEXEC));
  if (file) unlink(name.c_str());
  return file;
}

// In the first folder that takes one.
UniqueFd unlinked_file(std::string* where = nullptr) {
  const char* chosen = std::getenv("TMPDIR");
  for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    if (UniqueFd file = unlinked_file_in(folder)) {
      if (where != nullptr) *where = folder;
      return file;
    }
  }
  return UniqueFd(memfd_create("cinderscope", MFD_CLOEXEC));
}

}  // namespace

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::create(std::uint64_t most_bytes) {
  UniqueFd file = unlinked_file();
  if (!file) {
    return Error{ErrorCode::cannot_read,
                 fmt::format("No temporary file can be made for the unpacked trace: {}.",
                             std::strerror(errno)),
                 "Set TMPDIR to a folder with free space."};
  }
  // A limit on the address space (ulimit -v) or the file system may not allow the full range.
  for (std::uint64_t bytes = most_bytes; bytes >= kLeastReservedBytes; bytes /= 2) {
    void* data = mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
    if (data == MAP_FAILED) continue;
    return std::unique_ptr<TemporaryFile>(
        new TemporaryFile(std::move(file), static_cast<std::byte*>(data), bytes));
  }
  return Error{ErrorCode::no_memory,
               "The address space left is too small to hold the unpacked trace.",
               "Raise the limit on the address space (ulimit -v)."};
}

std::filesystem::path TemporaryFile::folder() {
  std::string where;
  const UniqueFd tried = unlinked_file(&where);
  return path_of(where);
}

bool TemporaryFile::is_on_heap() {
  return false;
}

TemporaryFile::~TemporaryFile() {
  munmap(data_, reserved_bytes_);
}

// With space set aside a third less time goes into writing; not all file systems can, and a disk
// that is nearly full may still hold what is written.
std::error_code TemporaryFile::lengthen(std::uint64_t size_bytes) {
  if (size_bytes <= size_bytes_) return {};
  const auto from = static_cast<off_t>(size_bytes_), to = static_cast<off_t>(size_bytes);
  if (fallocate(file_.get(), 0, from, to - from) == 0 || ftruncate(file_.get(), to) == 0) {
    size_bytes_ = size_bytes;
    return {};
  }
  return {errno, std::generic_category()};
}

bool TemporaryFile::drop(std::uint64_t begin, std::uint64_t end) {
  return fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                   static_cast<off_t>(begin), static_cast<off_t>(end - begin)) == 0;
}

std::uint64_t TemporaryFile::free_bytes() const {
  struct statvfs disk {};
  if (fstatvfs(file_.get(), &disk) != 0) return UINT64_MAX;
  if (disk.f_blocks == 0)
    return free_memory_bytes();  // a file in memory without a limit of its own
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

std::size_t TemporaryFile::write(std::uint64_t offset, std::span<const std::byte> bytes,
                                 std::error_code& error) {
  return write_at(file_, offset, bytes, error);
}

}  // namespace cinderscope
