#include "formats/thread_stream/chunk_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "ingest/input/crc32.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kMostAlignment = 65'536;
constexpr std::uint64_t kSearchBytes = 1u << 20;  // looked at in one piece
constexpr std::uint64_t kAskEachBytes = 64u << 20;

std::uint64_t rounded_up(std::uint64_t at, std::uint64_t to) {
  return (at + to - 1) / to * to;
}

Pin pinned(const Input& input, std::uint64_t at, std::uint64_t length) {
  Result<Pin> pin = input.pin(at, length);
  return pin ? std::move(*pin) : Pin(at, {});
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool is_chunk_header(const std::byte* data) {
  return std::memcmp(data, kChunkMagic.data(), kChunkMagic.size()) == 0 &&
         crc32_of({data, kCheckedBytes}) == load_value<std::uint32_t>(data + kCheckedBytes);
}

Chunk chunk_of(const std::byte* data, std::uint64_t at) {
  Chunk chunk;
  chunk.at = at;
  chunk.kind = load_value<std::uint16_t>(data + 4);
  chunk.flags = load_value<std::uint16_t>(data + 6);
  chunk.stored_bytes = load_value<std::uint32_t>(data + 8);
  chunk.full_bytes = load_value<std::uint32_t>(data + 12);
  chunk.stream = load_value<std::uint32_t>(data + 16);
  chunk.sequence = load_value<std::uint32_t>(data + 20);
  chunk.ordinal = load_value<std::uint64_t>(data + 24);
  chunk.first_tick = load_value<std::uint64_t>(data + 32);
  chunk.last_tick = load_value<std::uint64_t>(data + 40);
  chunk.count = load_value<std::uint32_t>(data + 48);
  chunk.crc = load_value<std::uint32_t>(data + 56);
  return chunk;
}

class Walk {
 public:
  Walk(const Input& input, const FileHeader& header, OddityCounts& odd,
       const std::function<bool(std::uint64_t)>& go_on)
      : input_(input), header_(header), odd_(odd), go_on_(go_on) {}

  std::optional<WalkedChunks> run() {
    std::uint64_t at = header_.first_chunk_at;
    while (true) {
      if (at >= ask_at_ && !ask(at)) return std::nullopt;
      const Pin pin = pinned(input_, at, kChunkHeaderBytes);
      if (pin.size() < kChunkHeaderBytes) {
        if (!all_zero(pin.bytes())) odd_.count(Oddity::truncated, at);
        break;
      }
      if (is_chunk_header(pin.bytes().data())) {
        at = take(chunk_of(pin.bytes().data(), at));
        continue;
      }
      const auto next = search(at);
      if (!next) return std::nullopt;
      at = *next;
    }
    place_lz4();
    return std::move(found_);
  }

 private:
  bool ask(std::uint64_t at) {
    ask_at_ = at + kAskEachBytes;
    return go_on_(at);
  }

  // Where the next one is due.
  std::uint64_t take(Chunk chunk) {
    ++found_.accepted;
    const std::uint64_t end = chunk.payload_at() + chunk.stored_bytes;
    const std::uint64_t there = input_.wait_for(end);
    chunk.there_bytes = std::min(there, end) - chunk.payload_at();
    chunk.place = chunk.payload_at();
    if (chunk.cut()) odd_.count(Oddity::truncated, chunk.at);
    if (chunk.kind >= kTableChunk && chunk.kind <= kPackedChunk) {
      found_.chunks.push_back(chunk);
    } else if (chunk.kind < kFirstPrivateChunk) {
      odd_.count(Oddity::unknown_chunk, chunk.at);
    }
    return rounded_up(end, header_.alignment);
  }

  // The place of the next chunk header behind `due`, or the end of the file. There may be gigabytes
  // of zeros.
  std::optional<std::uint64_t> search(std::uint64_t due) {
    bool only_zeros = true;
    for (std::uint64_t at = due; true; at += kSearchBytes) {
      if (at >= ask_at_ && !ask(at)) return std::nullopt;
      const Pin pin = pinned(input_, at, kSearchBytes + kChunkHeaderBytes);
      const auto piece = pin.bytes().first(std::min<std::size_t>(pin.size(), kSearchBytes));
      const std::size_t found = header_in(pin.bytes(), at == due ? kPlaceBytes : 0, piece.size());
      only_zeros = only_zeros && all_zero(piece.first(found));
      if (found == piece.size() && piece.size() == kSearchBytes) continue;
      if (!only_zeros) odd_.count(Oddity::bad_chunk, due);
      return at + (found == piece.size() ? pin.size() : found);
    }
  }

  // Of a header that begins in the first `length` bytes; `length` if there is none.
  static std::size_t header_in(std::span<const std::byte> bytes, std::size_t from,
                               std::size_t length) {
    while (from < length) {
      const void* hit = std::memchr(bytes.data() + from, kChunkMagic[0], length - from);
      if (hit == nullptr) break;
      const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(hit) - bytes.data());
      const bool fits = at % kPlaceBytes == 0 && bytes.size() - at >= kChunkHeaderBytes;
      if (fits && is_chunk_header(bytes.data() + at)) return at;
      from = at + 1;
    }
    return length;
  }

  void place_lz4() {
    found_.place_end = input_.size_bytes();
    for (Chunk& chunk : found_.chunks) {
      if (!chunk.packed_lz4() || chunk.kind == kTableChunk) continue;
      chunk.place = found_.place_end;
      found_.place_end += std::min(chunk.full_bytes, kMostFullBytes);
    }
  }

  const Input& input_;
  const FileHeader& header_;
  OddityCounts& odd_;
  const std::function<bool(std::uint64_t)>& go_on_;
  std::uint64_t ask_at_ = 0;
  WalkedChunks found_;
};

}  // namespace

bool has_magic(std::span<const std::byte> head) {
  return head.size() >= kMagic.size() &&
         std::memcmp(head.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<FileHeader> read_file_header(std::span<const std::byte> head) {
  if (head.size() < kHeaderBytes) {
    return Error{ErrorCode::damaged,
                 fmt::format("The file ends within its header, after {} bytes.", head.size()),
                 "A thread stream begins with a header of 64 bytes; was the recording or the copy "
                 "cut short?",
                 static_cast<std::int64_t>(head.size())};
  }
  FileHeader header;
  const std::byte* data = head.data();
  if (crc32_of(head.first(kCheckedBytes)) != load_value<std::uint32_t>(data + kCheckedBytes)) {
    header.damaged = true;
    return header;
  }
  const auto major = load_value<std::uint16_t>(data + 8);
  header.minor = load_value<std::uint16_t>(data + 10);
  if (major != 1) {
    return Error{ErrorCode::damaged,
                 fmt::format("The thread stream has version {}.{}, which is not known here.", major,
                             header.minor),
                 "Known is version 1.", 8};
  }
  header.flags = load_value<std::uint8_t>(data + 15);
  const auto alignment = load_value<std::uint32_t>(data + 16);
  if (std::has_single_bit(alignment) && alignment >= kPlaceBytes && alignment <= kMostAlignment) {
    header.alignment = alignment;
  }
  const auto bytes = std::max<std::uint64_t>(load_value<std::uint16_t>(data + 12), kHeaderBytes);
  header.first_chunk_at = rounded_up(bytes, header.alignment);
  header.pid = load_value<std::uint64_t>(data + 24);
  header.ns_numerator = load_value<std::uint64_t>(data + 32);
  header.ns_divisor = load_value<std::uint64_t>(data + 40);
  return header;
}

std::optional<WalkedChunks> walk_chunks(const Input& input, const FileHeader& header,
                                        OddityCounts& odd,
                                        const std::function<bool(std::uint64_t)>& go_on) {
  return Walk(input, header, odd, go_on).run();
}

bool same_chunk_at(const Input& input, const Chunk& chunk) {
  const Pin pin = pinned(input, chunk.at, kChunkHeaderBytes);
  if (pin.size() < kChunkHeaderBytes || !is_chunk_header(pin.bytes().data())) return false;
  const Chunk now = chunk_of(pin.bytes().data(), chunk.at);
  return now.kind == chunk.kind && now.stream == chunk.stream && now.sequence == chunk.sequence &&
         now.ordinal == chunk.ordinal;
}

}  // namespace cinderscope::thread_stream
