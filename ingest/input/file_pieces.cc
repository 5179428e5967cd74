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
  const Bytes bytes = within                    ? piece_at(begin)
                      : length == size_bytes_   ? whole()
                      : length <= kMostGathered ? gathered(offset, length)
                                                : read(offset, length);
  const std::span<const std::byte> found = bytes.all().subspan(
      static_cast<std::size_t>(within ? offset - begin : 0), static_cast<std::size_t>(length));
  return Pin(offset, found, bytes.memory);
} catch (const std::bad_alloc&) {
  return std::nullopt;
}

void FilePieces::read_now(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::error_code error;
  const std::size_t got = read_at(file_, offset, bytes, error);
  std::ranges::fill(bytes.subspan(got), std::byte{});
}

std::optional<FileStatus> FilePieces::status() const {
  std::error_code ignored;
  return file_status(file_, ignored);
}

FilePieces::Bytes FilePieces::room_for(std::uint64_t length) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
  if (length > kMost - kPaddingBytes) throw std::bad_alloc();
  const auto size = static_cast<std::size_t>(length) + kPaddingBytes;
  return {stock_.take(size), size};
}

// With kPaddingBytes behind them: what follows in the file, then zeros.
FilePieces::Bytes FilePieces::read(std::uint64_t offset, std::uint64_t length) {
  const Bytes bytes = room_for(length);
  const auto there = std::min<std::uint64_t>(bytes.size, size_bytes_ - offset);
  std::error_code error;
  const std::size_t got =
      read_at(file_, offset, bytes.all().first(static_cast<std::size_t>(there)), error);
  std::ranges::fill(bytes.all().subspan(got), std::byte{});
  if (got < there) lost_ = true;
  return bytes;
}

// Whoever reads a window after the other asks for most bytes more than once.
FilePieces::Bytes FilePieces::gathered(std::uint64_t offset, std::uint64_t length) {
  const Bytes bytes = room_for(length);
  const std::uint64_t end = std::min(offset + bytes.size, size_bytes_);
  std::span<std::byte> to = bytes.all();
  for (std::uint64_t at = offset; at < end;) {
    const std::uint64_t begin = at - at % kPieceBytes;
    const std::uint64_t piece_end = std::min(end, begin + kPieceBytes);
    const Bytes piece = piece_at(begin);
    const std::span<const std::byte> found = piece.all().subspan(
        static_cast<std::size_t>(at - begin), static_cast<std::size_t>(piece_end - at));
    std::ranges::copy(found, to.begin());
    to = to.subspan(found.size());
    at = piece_end;
  }
  std::ranges::fill(to, std::byte{});
  return bytes;
}

FilePieces::Bytes FilePieces::whole() {
  const std::lock_guard reading(whole_mutex_);
  if (std::shared_ptr<std::byte[]> memory = whole_.lock()) {
    return {std::move(memory), static_cast<std::size_t>(size_bytes_) + kPaddingBytes};
  }
  Bytes bytes = read(0, size_bytes_);
  whole_ = bytes.memory;
  return bytes;
}

FilePieces::Bytes FilePieces::piece_at(std::uint64_t begin) {
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
  if (!piece->bytes.memory) piece->bytes = read(begin, std::min(kPieceBytes, size_bytes_ - begin));
  return piece->bytes;
}

}  // namespace cinderscope
