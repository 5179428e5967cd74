#include "ingest/input/growing_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace cinderscope {
namespace {

constexpr std::uint64_t kPaddingBytes = 64;
// The file is kept longer than what was written, so that reading a little ahead never faults.
constexpr std::uint64_t kAheadBytes = 16u << 20;

}  // namespace

Result<std::unique_ptr<GrowingFile>> GrowingFile::create() {
  auto file = TemporaryFile::create();
  if (!file) return file.error();
  return std::unique_ptr<GrowingFile>(new GrowingFile(std::move(*file)));
}

Status GrowingFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t size_bytes = size_bytes_, reserved_bytes = file_->reserved_bytes();
  if (bytes.size() > reserved_bytes - kPaddingBytes - size_bytes) {
    return Error{ErrorCode::no_memory,
                 fmt::format("The unpacked trace is larger than the {} MiB of address space that "
                             "could be reserved for it.",
                             reserved_bytes >> 20),
                 "Raise the limit on the address space (ulimit -v)."};
  }
  const std::uint64_t needed = size_bytes + bytes.size() + kPaddingBytes;
  if (needed > file_->size_bytes()) {
    file_->lengthen(std::min(reserved_bytes, needed + kAheadBytes));
  }
  std::error_code error = std::make_error_code(std::errc::no_space_on_device);
  std::size_t written_bytes = 0;
  if (needed <= file_->size_bytes()) written_bytes = file_->write(size_bytes, bytes, error);
  publish(size_bytes + written_bytes, false);
  if (!error) return ok();
  return Error{
      ErrorCode::cannot_read,
      fmt::format("The temporary file for the unpacked trace cannot grow: {}.", error.message()),
      "Free some space, or set TMPDIR to a folder that has more."};
}

void GrowingFile::close() {
  static constexpr std::array<std::byte, kPaddingBytes> kZeros{};
  std::uint64_t size_bytes = size_bytes_;
  // Written, not left as a hole: reading a hole may need space, too, and fail by a signal.
  std::error_code error;
  file_->write(size_bytes, kZeros, error);
  if (error) {
    size_bytes -= std::min(size_bytes, kPaddingBytes);
    file_->write(size_bytes, kZeros, error);
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
  return {file_->data(), static_cast<std::size_t>(size_bytes_.load())};
}

}  // namespace cinderscope
