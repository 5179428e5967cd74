#include "ingest/input/growing_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "ingest/input/pin.h"

namespace cinderscope {
namespace {

// The file is kept longer than what was written, so that reading a little ahead never faults.
constexpr std::uint64_t kAheadBytes = 16u << 20;
// So much is taken of any disk.
constexpr std::uint64_t kUnaskedBytes = 64u << 20;

}  // namespace

Result<std::unique_ptr<GrowingFile>> GrowingFile::create(double disk_share,
                                                         std::uint64_t most_bytes) {
  auto file = TemporaryFile::create(most_bytes);
  if (!file) return file.error();
  return std::unique_ptr<GrowingFile>(new GrowingFile(std::move(*file), disk_share));
}

bool GrowingFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t size_bytes = size_bytes_, reserved_bytes = file_->reserved_bytes();
  if (bytes.size() > reserved_bytes - kPaddingBytes - size_bytes) {
    trouble_.count(diagnostic::kAddressSpace, kNoOffset,
                   fmt::format("The unpacked trace is larger than the {} MiB of address space that "
                               "could be reserved for it.",
                               reserved_bytes >> 20));
    return false;
  }
  const std::uint64_t needed = size_bytes + bytes.size() + kPaddingBytes;
  if (needed > file_->size_bytes() && !lengthen(needed)) return false;
  std::error_code error;
  const std::size_t written_bytes = file_->write(size_bytes, bytes, error);
  publish(size_bytes + written_bytes, false);
  return error ? stopped_by(error) : true;
}

bool GrowingFile::lengthen(std::uint64_t needed_bytes) {
  const std::uint64_t longer_bytes = std::min(file_->reserved_bytes(), needed_bytes + kAheadBytes);
  const std::uint64_t wanted_bytes = longer_bytes + elsewhere_bytes_;
  if (disk_share_ < 1 && wanted_bytes > kUnaskedBytes) {
    const auto taken = static_cast<double>(file_->size_bytes() + elsewhere_bytes_);
    const double all = taken + static_cast<double>(file_->free_bytes());
    if (static_cast<double>(wanted_bytes) > all * disk_share_) {
      trouble_.count(
          diagnostic::kDiskShare, kNoOffset,
          fmt::format("Unpacked, this trace takes more than {:.1f} GB, and {:.1f} GB are free on "
                      "the disk for temporary files.",
                      taken / 1e9, all / 1e9));
      return false;
    }
  }
  if (!file_->lengthen(longer_bytes)) return true;
  const std::error_code error = file_->lengthen(needed_bytes);
  return error ? stopped_by(error) : true;
}

bool GrowingFile::stopped_by(std::error_code error) {
  const bool limited = error == std::errc::file_too_large;
  trouble_.count(
      limited ? diagnostic::kFileLimit : diagnostic::kDiskFull, kNoOffset,
      fmt::format("The temporary file for the unpacked trace cannot grow beyond {} bytes: "
                  "{}. What fitted is shown.",
                  size_bytes_.load(), error.message()));
  return false;
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
