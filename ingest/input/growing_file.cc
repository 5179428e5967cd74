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

bool GrowingFile::append(std::span<const std::byte> bytes) {
  wait_for_reader(size_bytes_);
  if (!file_) return append_to_blocks(bytes);
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

void GrowingFile::close() {
  static constexpr std::array<std::byte, kPaddingBytes> kZeros{};
  std::uint64_t size_bytes = size_bytes_;
  if (!file_) return publish(size_bytes, true);
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

void GrowingFile::wait_for_reader(std::uint64_t size_bytes) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    return !in_order_ || size_bytes < let_go_ + kReaderAheadBytes || size_bytes < wanted_bytes_;
  });
}

void GrowingFile::let_go(std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ && let_go_ == UINT64_MAX) return;
    if (offset <= let_go_ && in_order_) return;
    in_order_ = wanted_bytes_ != UINT64_MAX;
    let_go_ = std::max(let_go_, offset);
  }
  room_.notify_all();
  if (closed_) drop_what_may_go();
}

void GrowingFile::end_order() {
  {
    const std::lock_guard lock(mutex_);
    in_order_ = false;
    wanted_bytes_ = UINT64_MAX;
  }
  room_.notify_all();
}

void GrowingFile::note_droppable(std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    droppable_to_ = offset;
  }
  drop_what_may_go();
}

struct GrowingFile::Held {
  const GrowingFile* file = nullptr;
  std::multiset<std::uint64_t>::iterator begin;

  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (file == nullptr) return;
    {
      const std::lock_guard lock(file->mutex_);
      file->held_begins_.erase(begin);
    }
    if (file->closed_) file->drop_what_may_go();
  }
};

std::shared_ptr<const void> GrowingFile::hold(std::uint64_t begin) const {
  auto held = std::make_shared<Held>();
  const std::lock_guard lock(mutex_);
  if (begin < dropped_to_) return nullptr;
  held->begin = held_begins_.insert(begin);
  held->file = this;
  return held;
}

// By the writer while there is one: it takes some tenths of a millisecond, and readers have better
// to do.
void GrowingFile::drop_what_may_go() const {
  if (!may_drop_) return;
  std::uint64_t begin = 0, end = 0;
  const std::unique_lock dropping(drop_mutex_, std::try_to_lock);
  if (!dropping) return;  // whoever does will come again
  {
    const std::lock_guard lock(mutex_);
    begin = dropped_to_;
    end = std::min({let_go_, droppable_to_, size_bytes_.load()});
    if (!held_begins_.empty()) end = std::min(end, *held_begins_.begin());
    end -= end % kDropStepBytes;
    if (end <= begin) return;
    dropped_to_ = end;
  }
  if (file_) {
    may_drop_ = file_->drop(begin, end);
    return;
  }
  const std::lock_guard lock(mutex_);
  blocks_.drop_to(end);
}

std::optional<Pin> GrowingFile::pin(std::uint64_t offset, std::uint64_t length) const {
  if (!file_) {
    const std::lock_guard lock(mutex_);
    if (offset < dropped_to_) return std::nullopt;
    return blocks_.pin(offset, length, !closed_);
  }
  std::shared_ptr<const void> held = hold(offset);
  if (!held) return std::nullopt;
  const std::span<const std::byte> bytes(file_->data() + offset, static_cast<std::size_t>(length));
  return Pin(offset, bytes, std::move(held));
}

std::span<const std::byte> GrowingFile::wait_for(std::uint64_t wanted_bytes) const {
  return {file_->data(), static_cast<std::size_t>(wait_for_size(wanted_bytes))};
}

std::uint64_t GrowingFile::wait_for_size(std::uint64_t wanted_bytes) const {
  if (size_bytes_ < wanted_bytes && !closed_) {
    std::unique_lock lock(mutex_);
    wanted_bytes_ = std::max(wanted_bytes_, wanted_bytes);
    room_.notify_all();
    grown_.wait(lock, [&] { return size_bytes_ >= wanted_bytes || closed_; });
  }
  return size_bytes_;
}

}  // namespace cinderscope
