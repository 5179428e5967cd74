#include "ingest/input/file_pieces.h"

#include <algorithm>
#include <limits>
#include <new>
#include <span>
#include <system_error>
#include <utility>

namespace cinderscope {

std::optional<Pin> FilePieces::pin(std::uint64_t offset, std::uint64_t length) try {
  offset = std::min(offset, size_bytes_);
  length = std::min(length, size_bytes_ - offset);
  const std::uint64_t begin = offset - offset % kPieceBytes;
  const bool within = offset + length <= begin + kPieceBytes;
  std::shared_ptr<const Bytes> bytes = within                    ? piece_at(begin)
                                       : length == size_bytes_   ? whole()
                                       : length <= kMostGathered ? gathered(offset, length)
                                                                 : read(offset, length);
  const std::span<const std::byte> found = std::span(*bytes).subspan(
      static_cast<std::size_t>(within ? offset - begin : 0), static_cast<std::size_t>(length));
  return Pin(offset, found, std::move(bytes));
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

// With kPaddingBytes behind them: what follows in the file, then zeros.
std::shared_ptr<const FilePieces::Bytes> FilePieces::read(std::uint64_t offset,
                                                          std::uint64_t length) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
  if (length > kMost - kPaddingBytes) throw std::bad_alloc();
  auto bytes = std::make_shared<Bytes>(static_cast<std::size_t>(length) + kPaddingBytes);
  const auto there = std::min<std::uint64_t>(bytes->size(), size_bytes_ - offset);
  std::error_code error;
  const std::size_t got =
      read_at(file_, offset, std::span(*bytes).first(static_cast<std::size_t>(there)), error);
  if (got < there) lost_ = true;
  return bytes;
}

// Whoever reads a window after the other asks for most bytes more than once.
std::shared_ptr<const FilePieces::Bytes> FilePieces::gathered(std::uint64_t offset,
                                                              std::uint64_t length) {
  auto bytes = std::make_shared<Bytes>(static_cast<std::size_t>(length) + kPaddingBytes);
  const std::uint64_t end = std::min(offset + bytes->size(), size_bytes_);
  for (std::uint64_t at = offset; at < end;) {
    const std::uint64_t begin = at - at % kPieceBytes;
    const std::uint64_t piece_end = std::min(end, begin + kPieceBytes);
    const std::shared_ptr<const Bytes> piece = piece_at(begin);
    std::copy(piece->begin() + static_cast<std::ptrdiff_t>(at - begin),
              piece->begin() + static_cast<std::ptrdiff_t>(piece_end - begin),
              bytes->begin() + static_cast<std::ptrdiff_t>(at - offset));
    at = piece_end;
  }
  return bytes;
}

std::shared_ptr<const FilePieces::Bytes> FilePieces::whole() {
  const std::lock_guard reading(whole_mutex_);
  std::shared_ptr<const Bytes> bytes = whole_.lock();
  if (!bytes) {
    bytes = read(0, size_bytes_);
    whole_ = bytes;
  }
  return bytes;
}

std::shared_ptr<const FilePieces::Bytes> FilePieces::piece_at(std::uint64_t begin) {
  std::shared_ptr<Piece> piece;
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [begin](const auto& kept) { return kept && kept->begin == begin; };
    auto place = std::ranges::find_if(kept_, is_it);
    if (place == kept_.end()) {
      place = std::ranges::min_element(kept_, {},
                                       [](const auto& kept) { return kept ? kept->last_use : 0; });
      *place = std::make_shared<Piece>();
      (*place)->begin = begin;
    }
    (*place)->last_use = ++uses_;
    piece = *place;
  }
  const std::lock_guard reading(piece->mutex);
  if (!piece->bytes) piece->bytes = read(begin, std::min(kPieceBytes, size_bytes_ - begin));
  return piece->bytes;
}

}  // namespace cinderscope
