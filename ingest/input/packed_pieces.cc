#include "ingest/input/packed_pieces.h"

#include <xxhash.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/input/unpacker.h"

namespace cinderscope {
namespace {

constexpr std::size_t kReadBytes = 256u << 10;

}  // namespace

std::optional<Pin> PackedPieces::pin(std::uint64_t offset, std::uint64_t length) try {
  std::shared_ptr<Bytes> joined;
  std::uint64_t at = offset;
  const std::uint64_t end = offset + length;
  while (at < end) {
    const std::optional<Checkpoints::Stretch> stretch = checkpoints_->stretch_at(at);
    if (!stretch) return std::nullopt;
    std::shared_ptr<const Bytes> bytes = bytes_of(*stretch);
    if (!bytes) return std::nullopt;
    const auto from = static_cast<std::size_t>(at - stretch->plain_begin);
    const auto size = static_cast<std::size_t>(std::min(end, stretch->plain_end) - at);
    if (size == length) {
      const std::span<const std::byte> found = std::span(*bytes).subspan(from, size);
      return Pin(offset, found, std::move(bytes));
    }
    if (!joined) {
      joined = std::make_shared<Bytes>();
      joined->reserve(static_cast<std::size_t>(length) + kPaddingBytes);
    }
    const std::span<const std::byte> found = std::span(*bytes).subspan(from, size);
    joined->insert(joined->end(), found.begin(), found.end());
    at += size;
  }
  if (!joined) return Pin(offset, {}, nullptr);
  joined->resize(joined->size() + kPaddingBytes);
  const std::span<const std::byte> all = std::span(*joined).first(static_cast<std::size_t>(length));
  return Pin(offset, all, std::move(joined));
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

// The piece of a stretch, new or known; others are forgotten for it.
std::shared_ptr<PackedPieces::Piece> PackedPieces::piece_at(const Checkpoints::Stretch& stretch) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(pieces_, [&](const std::shared_ptr<Piece>& piece) {
    return piece->begin == stretch.plain_begin && piece->end == stretch.plain_end;
  });
  if (found != pieces_.end()) {
    pieces_.splice(pieces_.begin(), pieces_, found);
    return pieces_.front();
  }
  auto piece = std::make_shared<Piece>();
  piece->begin = stretch.plain_begin;
  piece->end = stretch.plain_end;
  pieces_.push_front(std::move(piece));
  std::uint64_t kept = 0;
  for (auto it = pieces_.begin(); it != pieces_.end();) {
    kept += (*it)->end - (*it)->begin;
    it = kept > kMostKeptBytes && it != pieces_.begin() ? pieces_.erase(it) : std::next(it);
  }
  return pieces_.front();
}

std::shared_ptr<const PackedPieces::Bytes> PackedPieces::bytes_of(
    const Checkpoints::Stretch& stretch) {
  const std::shared_ptr<Piece> piece = piece_at(stretch);
  const std::lock_guard making(piece->mutex);
  if (!piece->bytes) piece->bytes = unpack(stretch);
  if (!piece->bytes) lost_ = true;
  return piece->bytes;
}

std::shared_ptr<const PackedPieces::Bytes> PackedPieces::unpack(
    const Checkpoints::Stretch& stretch) const {
  SelfTraceMark mark("unpack again", "bytes",
                     static_cast<std::int64_t>(stretch.plain_end - stretch.plain_begin));
  const auto wanted = static_cast<std::size_t>(stretch.plain_end - stretch.plain_begin);
  std::unique_ptr<Decoder> within;
  if (stretch.packing != Packing::none) {
    within = resumed_decoder(stretch.packing, stretch.decoder);
    if (!within) return nullptr;
  }
  auto bytes = std::make_shared<Bytes>();
  bytes->reserve(wanted + kPaddingBytes);
  const auto unpacker = Unpacker::from_checkpoint(
      [&](std::span<const std::byte> more) {
        const std::size_t taken = std::min(more.size(), wanted - bytes->size());
        bytes->insert(bytes->end(), more.begin(),
                      more.begin() + static_cast<std::ptrdiff_t>(taken));
        return bytes->size() < wanted;
      },
      std::move(within));
  std::vector<std::byte> packed(kReadBytes);
  std::uint64_t at = packed_begin_ + stretch.packed_at;
  unpacker->feed({});
  std::error_code error;
  while (bytes->size() < wanted) {
    const std::size_t size = read_at(file_, at, packed, error);
    if (error || size == 0) break;
    at += size;
    if (!unpacker->feed(std::span(packed).first(size))) break;
  }
  if (bytes->size() != wanted) return nullptr;
  if (stretch.checksum && XXH3_64bits(bytes->data(), wanted) != *stretch.checksum) return nullptr;
  bytes->resize(wanted + kPaddingBytes);
  return bytes;
}

}  // namespace cinderscope
