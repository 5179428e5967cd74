#include "ingest/input/byte_blocks.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace cinderscope {

std::size_t ByteBlocks::append(std::span<const std::byte> bytes) {
  const std::size_t wanted = bytes.size();
  try {
    while (!bytes.empty()) {
      const auto within = static_cast<std::size_t>(size_bytes_ % kBlockBytes);
      if (within == 0) {
        blocks_.push_back(std::make_shared<Bytes>(kBlockBytes + kPaddingBytes));
      }
      const std::size_t size = std::min(bytes.size(), kBlockBytes - within);
      std::ranges::copy(bytes.first(size),
                        blocks_.back()->begin() + static_cast<std::ptrdiff_t>(within));
      size_bytes_ += size;
      bytes = bytes.subspan(size);
    }
  } catch (const std::bad_alloc&) {
    return wanted - bytes.size();
  }
  return wanted;
}

void ByteBlocks::drop_to(std::uint64_t offset) {
  if (whole_ && offset >= size_bytes_) whole_.reset();
  const std::uint64_t full = std::min<std::uint64_t>(offset / kBlockBytes, blocks_.size());
  for (auto i = static_cast<std::size_t>(full); i-- > 0 && blocks_[i];) blocks_[i].reset();
}

std::optional<Pin> ByteBlocks::pin(std::uint64_t offset, std::uint64_t length, bool grows) try {
  if (length == 0) return Pin(offset, {});
  if (!grows && length == size_bytes_) whole_ = all_in_one();
  if (whole_) {
    return Pin(offset,
               std::span(*whole_).subspan(static_cast<std::size_t>(offset),
                                          static_cast<std::size_t>(length)),
               whole_);
  }
  const auto within = static_cast<std::size_t>(offset % kBlockBytes);
  auto at = static_cast<std::size_t>(offset / kBlockBytes);
  const bool is_last = at + 1 == blocks_.size();
  if (within + length <= kBlockBytes && !(is_last && grows)) {
    const std::shared_ptr<Bytes>& block = blocks_[at];
    return Pin(offset, std::span(*block).subspan(within, static_cast<std::size_t>(length)), block);
  }
  if (length > std::numeric_limits<std::size_t>::max() / 2) return std::nullopt;
  auto copy = std::make_shared<Bytes>();
  const auto size = static_cast<std::size_t>(length);
  copy->reserve(size + kPaddingBytes);
  for (std::size_t from = within; copy->size() < size; from = 0, ++at) {
    const std::size_t more = std::min(size - copy->size(), kBlockBytes - from);
    const std::span<const std::byte> found = std::span(*blocks_[at]).subspan(from, more);
    copy->insert(copy->end(), found.begin(), found.end());
  }
  copy->resize(size + kPaddingBytes);
  const std::span<const std::byte> bytes = std::span(*copy).first(size);
  return Pin(offset, bytes, std::move(copy));
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

// For formats that read a trace as one piece. Each block goes as soon as it was copied.
std::shared_ptr<const ByteBlocks::Bytes> ByteBlocks::all_in_one() {
  if (whole_) return whole_;
  if (size_bytes_ > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  auto all = std::make_shared<Bytes>();
  all->reserve(static_cast<std::size_t>(size_bytes_) + kPaddingBytes);
  for (std::shared_ptr<Bytes>& block : blocks_) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes_ - all->size(), kBlockBytes));
    all->insert(all->end(), block->begin(), block->begin() + static_cast<std::ptrdiff_t>(size));
    block.reset();
  }
  all->resize(static_cast<std::size_t>(size_bytes_) + kPaddingBytes);
  blocks_.clear();
  return all;
}

}  // namespace cinderscope
