#include "ingest/build/column_file.h"

#include <system_error>

#include "ingest/model/slice_chunk.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kStepBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeftToOthersBytes = std::uint64_t{1} << 30;

}  // namespace

Result<std::shared_ptr<ColumnFile>> ColumnFile::create() {
  Result<std::unique_ptr<TemporaryFile>> file = TemporaryFile::create();
  if (!file) return file.error();
  return std::shared_ptr<ColumnFile>(new ColumnFile(std::move(*file)));
}

// Space is set aside before it is written, so that a full disk is an answer and no signal.
bool ColumnFile::reserve(std::uint64_t end) {
  if (end <= reserved_bytes_) return true;
  const std::lock_guard lock(mutex_);
  if (end <= reserved_bytes_) return true;
  const std::uint64_t wanted = (end + kStepBytes - 1) / kStepBytes * kStepBytes;
  if (wanted > file_->reserved_bytes() || file_->free_bytes() < kLeftToOthersBytes) return false;
  if (file_->lengthen(wanted)) return false;
  reserved_bytes_ = wanted;
  return true;
}

bool ColumnFile::at_hand(std::span<const std::byte> bytes) const {
  return read_ahead_.at_hand(bytes, {file_->data(), static_cast<std::size_t>(used_bytes_)});
}

const std::byte* ColumnFile::keep(std::span<const std::byte> bytes) {
  if (full_) return nullptr;
  const std::uint64_t room =
      (bytes.size() + kChunkAlignment - 1) / kChunkAlignment * kChunkAlignment;
  const std::uint64_t at = used_bytes_.fetch_add(room);
  std::error_code error;
  if (!reserve(at + room) || file_->write(at, bytes, error) != bytes.size() || error) {
    full_ = true;
    return nullptr;
  }
  return file_->data() + at;
}

}  // namespace cinderscope
