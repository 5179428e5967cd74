#include "ingest/input/unpack/packed_pieces.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/input/unpack/unpacker.h"
#include "ingest/input/unpack/xx_hash.h"

namespace cinderscope {
namespace {

constexpr std::size_t kReadBytes = 256u << 10;
constexpr std::size_t kHeldBackBytes = 64;

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
  unpacker->feed({});
  std::vector<std::byte> packed(kReadBytes);
  XxHash hash;
  for (std::uint64_t at = stretch.packed_begin; at < stretch.packed_end;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(packed.size(), stretch.packed_end - at));
    const std::span<const std::byte> read = std::span(packed).first(size);
    std::error_code error;
    if (read_at(file_, packed_begin_ + at, std::span(packed).first(size), error) != size || error) {
      return nullptr;
    }
    hash.add(read);
    unpacker->feed(read);
    at += size;
  }
  // How many bits ISA-L holds back depends on how its input is cut: what follows, or zeros behind
  // the file's end, brings the last byte out.
  if (bytes->size() < wanted) {
    std::error_code error;
    packed.assign(kHeldBackBytes, std::byte{0});
    read_at(file_, packed_begin_ + stretch.packed_end, packed, error);
    unpacker->feed(packed);
  }
  if (bytes->size() != wanted || (stretch.checksum && hash.take() != *stretch.checksum)) {
    return nullptr;
  }
  bytes->resize(wanted + kPaddingBytes);
  return bytes;
}

}  // namespace cinderscope
