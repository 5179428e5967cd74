#include "ingest/input/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace cinderscope {
namespace {

constexpr std::uint64_t kPaddingBytes = 64;
// The file is kept longer than what was written, so that reading a little ahead never faults.
constexpr std::uint64_t kAheadBytes = 16u << 20;
constexpr std::uint64_t kMostReservedBytes = std::uint64_t{1} << 42;
constexpr std::uint64_t kLeastReservedBytes = 64u << 20;

UniqueFd temporary_file_in(const std::string& folder) {
  UniqueFd file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  std::string name = folder + "/cinderscope-XXXXXX";  // for file systems without O_TMPFILE
  file = UniqueFd(mkostemp(name.data(), O_CLOEXEC));
  if (file) unlink(name.c_str());
  return file;
}

UniqueFd temporary_file() {
  const char* chosen = std::getenv("TMPDIR");
  for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    if (UniqueFd file = temporary_file_in(folder)) return file;
  }
  return UniqueFd(memfd_create("cinderscope", MFD_CLOEXEC));
}

}  // namespace

Result<std::unique_ptr<GrowingFile>> GrowingFile::create() {
  UniqueFd file = temporary_file();
  if (!file) {
    return Error{ErrorCode::cannot_read,
                 fmt::format("No temporary file can be made for the unpacked trace: {}.",
                             std::strerror(errno)),
                 "Set TMPDIR to a folder with free space."};
  }
  // A limit on the address space (ulimit -v) or the file system may not allow the full range.
  for (std::uint64_t bytes = kMostReservedBytes; bytes >= kLeastReservedBytes; bytes /= 2) {
    void* data = mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
    if (data == MAP_FAILED) continue;
    return std::unique_ptr<GrowingFile>(
        new GrowingFile(std::move(file), static_cast<std::byte*>(data), bytes));
  }
  return Error{ErrorCode::no_memory,
               "The address space left is too small to hold the unpacked trace.",
               "Raise the limit on the address space (ulimit -v)."};
}

GrowingFile::~GrowingFile() {
  munmap(data_, reserved_bytes_);
}

bool GrowingFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes,
                           std::size_t& written_bytes) {
  written_bytes = 0;
  while (written_bytes < bytes.size()) {
    const ssize_t step =
        pwrite(file_.get(), bytes.data() + written_bytes, bytes.size() - written_bytes,
               static_cast<off_t>(offset + written_bytes));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return false;
    if (step == 0) {
      errno = ENOSPC;
      return false;
    }
    written_bytes += static_cast<std::size_t>(step);
  }
  return true;
}

// With space set aside a third less time goes into writing; not all file systems can, and a disk
// that is nearly full may still hold what is written.
bool GrowingFile::lengthen(std::uint64_t bytes) {
  return fallocate(file_.get(), 0, static_cast<off_t>(file_bytes_),
                   static_cast<off_t>(bytes - file_bytes_)) == 0 ||
         ftruncate(file_.get(), static_cast<off_t>(bytes)) == 0;
}

Status GrowingFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t size_bytes = size_bytes_;
  const std::uint64_t most = reserved_bytes_ - kPaddingBytes;
  if (bytes.size() > most - size_bytes) {
    return Error{ErrorCode::no_memory,
                 fmt::format("The unpacked trace is larger than the {} MiB of address space that "
                             "could be reserved for it.",
                             reserved_bytes_ >> 20),
                 "Raise the limit on the address space (ulimit -v)."};
  }
  const std::uint64_t needed = size_bytes + bytes.size() + kPaddingBytes;
  if (needed > file_bytes_) {
    const std::uint64_t longer = std::min(reserved_bytes_, needed + kAheadBytes);
    if (lengthen(longer)) file_bytes_ = longer;
  }
  std::size_t written_bytes = 0;
  const bool written = needed <= file_bytes_ && write_at(size_bytes, bytes, written_bytes);
  const int error = errno;
  publish(size_bytes + written_bytes, false);
  if (written) return ok();
  return Error{ErrorCode::cannot_read,
               fmt::format("The temporary file for the unpacked trace cannot grow: {}.",
                           std::strerror(error)),
               "Free some space, or set TMPDIR to a folder that has more."};
}

void GrowingFile::close() {
  static constexpr std::array<std::byte, kPaddingBytes> kZeros{};
  std::uint64_t size_bytes = size_bytes_;
  // Written, not left as a hole: reading a hole may need space, too, and fail by a signal.
  std::size_t written_bytes = 0;
  if (!write_at(size_bytes, kZeros, written_bytes)) {
    size_bytes -= std::min(size_bytes, kPaddingBytes);
    write_at(size_bytes, kZeros, written_bytes);
  }
  publish(size_bytes, true);
}

void GrowingFile::publish(std::uint64_t size_bytes, bool closed) {
  {
    const std::lock_guard lock(mutex_);
    size_bytes_ = size_bytes;
    closed_ = closed;
  }
  grown_.notify_all();
}

std::span<const std::byte> GrowingFile::wait_for(std::uint64_t wanted_bytes) const {
  if (size_bytes_ < wanted_bytes && !closed_) {
    std::unique_lock lock(mutex_);
    grown_.wait(lock, [&] { return size_bytes_ >= wanted_bytes || closed_; });
  }
  return {data_, static_cast<std::size_t>(size_bytes_.load())};
}

}  // namespace cinderscope
