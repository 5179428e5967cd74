#include "ingest/os/mapped_file.h"

#include <windows.h>

#include <algorithm>
#include <limits>
#include <system_error>

#include "ingest/os/file.h"
#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

// A mapped file cannot be cut by others: a program that records once more over an open trace would
// fail. Smaller ones are read.
constexpr std::uint64_t kLeastMappedBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kZeroBytes = 64;  // behind what is mapped
constexpr std::uint64_t kPageBytes = 4096, kGranularity = 65536;

// A view ends with the file's last page, of which the rest is zeros.
bool has_zeros_behind(std::uint64_t end) {
  const std::uint64_t used = end % kPageBytes;
  return used != 0 && kPageBytes - used >= kZeroBytes;
}

}  // namespace

// Without guard_ the region is memory of ours, else a view of the file.
MappedFile::MappedFile(UniqueFd file, std::uint64_t size_bytes, std::uint64_t offset)
    : file_(std::move(file)), size_bytes_(size_bytes), offset_(offset) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  if (size_bytes > kMost || offset > kMost) return;
  const std::uint64_t lead = offset % kGranularity;
  if (size_bytes >= kLeastMappedBytes && end_with_zeros(offset + size_bytes, kPageBytes)) {
    const std::uint64_t at = offset - lead;
    HANDLE section = CreateFileMappingW(handle_of(file_), nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (section != nullptr) {
      region_ = static_cast<std::byte*>(MapViewOfFile(
          section, FILE_MAP_READ, static_cast<DWORD>(at >> 32), static_cast<DWORD>(at), 0));
      CloseHandle(section);
    }
    if (region_ != nullptr) {
      region_bytes_ = static_cast<std::size_t>(lead + size_bytes);
      data_ = region_ + lead;
      guard_.emplace(region_, (region_bytes_ + kPageBytes - 1) / kPageBytes * kPageBytes);
      return;
    }
  }
  region_bytes_ = static_cast<std::size_t>(size_bytes + kPageBytes);
  region_ = static_cast<std::byte*>(
      VirtualAlloc(nullptr, region_bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
  if (region_ == nullptr) return;
  std::error_code error;
  read_at(file_, offset, std::span(region_, static_cast<std::size_t>(size_bytes)), error);
  if (!error) data_ = region_;
}

bool MappedFile::maps(std::uint64_t size_bytes) {
  return size_bytes >= kLeastMappedBytes && has_zeros_behind(size_bytes);
}

// Behind a part lies what follows.
bool MappedFile::end_with_zeros(std::uint64_t end, std::uint64_t) {
  const std::optional<FileStatus> now = status();
  return now && now->size_bytes == end && has_zeros_behind(end);
}

MappedFile::~MappedFile() {
  const bool is_view = guard_.has_value();
  const bool replaced = is_view && guard_->tripped();
  guard_.reset();
  if (region_ == nullptr) return;
  if (is_view && !replaced) {
    UnmapViewOfFile(region_);
  } else {
    VirtualFree(region_, 0, MEM_RELEASE);
  }
}

std::optional<FileStatus> MappedFile::status() const {
  std::error_code ignored;
  return file_status(file_, ignored);
}

std::optional<std::uint64_t> MappedFile::shrunk_to() const {
  const std::optional<FileStatus> now = status();
  const std::uint64_t end_now = now ? now->size_bytes : offset_ + size_bytes_;
  const std::uint64_t size_now = end_now - std::min(end_now, offset_);
  if (size_now < size_bytes_ || (guard_ && guard_->tripped())) return size_now;
  return std::nullopt;
}

}  // namespace cinderscope
