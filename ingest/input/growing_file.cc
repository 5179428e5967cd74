#include "ingest/input/growing_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

// The file is kept longer than what was written, so that reading a little ahead never faults.
constexpr std::uint64_t kAheadBytes = 16u << 20;
constexpr std::size_t kMostRoomBytes = 1u << 20;
constexpr std::uint64_t kKeptInMemoryBytes = 1u << 20;
// So much is taken of any disk, and of any memory.
constexpr std::uint64_t kUnaskedBytes = 64u << 20, kUnaskedMemoryBytes = 256u << 20;

}  // namespace

Result<std::unique_ptr<GrowingFile>> GrowingFile::create(double disk_share,
                                                         std::uint64_t most_bytes) {
  auto file = TemporaryFile::create(most_bytes);
  if (!file) return file.error();
  return std::unique_ptr<GrowingFile>(new GrowingFile(std::move(*file), disk_share));
}

std::unique_ptr<GrowingFile> GrowingFile::create_in_memory() {
  return std::unique_ptr<GrowingFile>(new GrowingFile(nullptr, kUsualDiskShare));
}

void GrowingFile::pass_through_memory() {
  if (file_) ring_ = RingMemory::create(kRingBytes);
  in_ring_ = ring_ != nullptr;
}

bool GrowingFile::append(std::span<const std::byte> bytes) {
  const bool fits = wait_for_reader(bytes.size());
  if (!file_) return append_to_blocks(bytes);
  if (!ring_) return append_to_file(bytes);
  if (!fits || !ring_->reach(size_bytes_ + bytes.size() + kPaddingBytes)) {
    return leave_ring() && append_to_file(bytes);
  }
  std::byte* const place = ring_->at(size_bytes_);
  if (place != bytes.data()) std::ranges::copy(bytes, place);
  publish(size_bytes_ + bytes.size(), false);
  return true;
}

std::span<std::byte> GrowingFile::room() {
  if (!ring_ || !wait_for_reader(kMostRoomBytes)) return {};
  if (!ring_->reach(size_bytes_ + kMostRoomBytes + kPaddingBytes)) return {};
  return {ring_->at(size_bytes_), kMostRoomBytes};
}

// What the ring holds goes to where it belongs in the file, as does all that comes.
bool GrowingFile::leave_ring() {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
  }
  const std::uint64_t from = dropped_to_;  // readers may let go of more meanwhile
  for (std::uint64_t at = 0; at < from; at += kDropStepBytes) {
    if (!lengthen(at + kDropStepBytes)) return false;
    may_drop_ = file_->drop(at, at + kDropStepBytes);
  }
  if (!lengthen(size_bytes_ + kPaddingBytes)) return false;
  std::error_code error;
  file_->write(from, {ring_->at(from), static_cast<std::size_t>(size_bytes_ - from)}, error);
  if (error) return stopped_by(error);
  const std::lock_guard lock(mutex_);
  ring_.reset();
  in_ring_ = false;
  if (from < dropped_to_) may_drop_ = file_->drop(from, dropped_to_);
  return true;
}

bool GrowingFile::append_to_file(std::span<const std::byte> bytes) {
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

bool GrowingFile::append_to_blocks(std::span<const std::byte> bytes) {
  const std::uint64_t within = size_bytes_ % ByteBlocks::kBlockBytes;
  const std::uint64_t kept = size_bytes_ - dropped_to_ + elsewhere_bytes_ + bytes.size();
  bool fits = true;
  // Asking for each block is often enough, and what is free is not told at once.
  if (kept > kUnaskedMemoryBytes &&
      (within == 0 || within + bytes.size() > ByteBlocks::kBlockBytes)) {
    const double all = static_cast<double>(kept) + static_cast<double>(free_memory_bytes());
    fits = static_cast<double>(kept) <= all * disk_share_;
  }
  if (fits) {
    std::size_t taken = 0;
    {
      const std::lock_guard lock(mutex_);
      taken = blocks_.append(bytes);
    }
    publish(size_bytes_ + taken, false);
    fits = taken == bytes.size();
  }
  if (!fits) {
    trouble_.count(diagnostic::kMemoryShare, kNoOffset,
                   fmt::format("Unpacked, this trace takes more than {:.1f} GB of memory at once, "
                               "which is more than there is for it.",
                               static_cast<double>(kept) / 1e9));
  }
  return fits;
}

bool GrowingFile::lengthen(std::uint64_t needed_bytes) {
  const std::uint64_t longer_bytes = std::min(file_->reserved_bytes(), needed_bytes + kAheadBytes);
  const std::uint64_t wanted_bytes = longer_bytes - dropped_to_ + elsewhere_bytes_;
  if (disk_share_ < 1 && wanted_bytes > kUnaskedBytes) {
    const auto taken = static_cast<double>(file_->size_bytes() - dropped_to_ + elsewhere_bytes_);
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

// Nobody reads in order: all of it stays, and the system can take pages of a file back.
bool GrowingFile::stays_whole() const {
  const std::lock_guard lock(mutex_);
  return !in_order_ && !stopped_ && size_bytes_ > kKeptInMemoryBytes;
}

void GrowingFile::close() {
  static constexpr std::array<std::byte, kPaddingBytes> kZeros{};
  std::uint64_t size_bytes = size_bytes_;
  if (ring_ && stays_whole()) leave_ring();
  if (ring_ && ring_->reach(size_bytes + kPaddingBytes)) {
    std::ranges::copy(kZeros, ring_->at(size_bytes));
  }
  if (!file_ || in_ring_) {
    publish(size_bytes, true);
    if (in_ring_) drop_what_may_go();
    return;
  }
  // Written, not left as a hole: reading a hole may need space, too, and fail by a signal.
  std::error_code error;
  file_->write(size_bytes, kZeros, error);
  if (error) {
    size_bytes -= std::min<std::uint64_t>(size_bytes, kPaddingBytes);
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

}  // namespace cinderscope
