#include "ingest/prepared/mapped_copy.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/os/file.h"

namespace cinderscope::prepared {

Error damaged_copy() {
  return {.code = ErrorCode::damaged, .text = "The prepared copy is damaged."};
}

Result<std::shared_ptr<MappedCopy>> MappedCopy::open(const std::filesystem::path& path) {
  std::error_code error;
  UniqueFd file = open_to_read(path, error);
  if (!file) return Error{.code = ErrorCode::cannot_read, .text = error.message()};
  const std::optional<FileStatus> status = file_status(file, error);
  if (!status || status->kind != FileKind::regular || status->size_bytes < kSectionBorder) {
    return damaged_copy();
  }
  auto copy = std::make_shared<MappedCopy>(std::move(file), status->size_bytes);
  if (!copy->file_.ok()) {
    return Error{.code = ErrorCode::cannot_read, .text = "The file cannot be mapped."};
  }
  if (!copy->header_is_sound()) return damaged_copy();
  return copy;
}

bool MappedCopy::header_is_sound() {
  const std::uint64_t size_bytes = file_.bytes().size();
  std::memcpy(&header_, file_.bytes().data(), sizeof header_);
  if (header_.magic != kMagic || header_.version != kLayoutVersion) return false;
  if (header_.sections != kSections || header_.file_bytes != size_bytes) return false;
  const std::uint64_t hash = std::exchange(header_.hash, 0);
  if (XXH3_64bits(&header_, sizeof header_) != hash) return false;
  // Between two sections there is nothing.
  const auto is_empty = [this](std::uint64_t from, std::uint64_t to) {
    return std::ranges::all_of(file_.bytes().subspan(from, to - from),
                               [](std::byte each) { return each == std::byte{}; });
  };
  std::uint64_t used = sizeof header_;
  for (const SectionEntry& each : header_.table) {
    if (each.offset != rounded_up_to(kSectionBorder, used) || each.offset > size_bytes)
      return false;
    if (each.bytes > size_bytes - each.offset || !is_empty(used, each.offset)) return false;
    used = each.offset + each.bytes;
  }
  return used == size_bytes;
}

bool MappedCopy::is_sound(Section section) const {
  if (section == Section::columns) return true;
  const std::span<const std::byte> all = bytes(section);
  return XXH3_64bits(all.data(), all.size()) == entry(section).hash;
}

bool MappedCopy::make_chunks(unsigned jobs) {
  const std::span<const ChunkHead> heads = values<ChunkHead>(Section::heads);
  const std::span<const std::byte> columns = bytes(Section::columns);
  const std::size_t pieces = (heads.size() + kHeadsToHash - 1) / kHeadsToHash;
  if (entry(Section::column_hashes).bytes != pieces * sizeof(std::uint64_t)) return false;
  if (entry(Section::heads).bytes != heads.size() * sizeof(ChunkHead)) return false;
  chunks_.resize(heads.size());
  sound_pieces_ = std::vector<std::atomic<std::uint8_t>>(pieces);
  std::atomic<bool> sound{true};
  parallel_for(pieces, jobs, [&](std::size_t piece) {
    const std::size_t first = piece * kHeadsToHash;
    const std::size_t end = std::min(first + kHeadsToHash, heads.size());
    for (std::size_t i = first; i < end; ++i) {
      const ChunkHead& head = heads[i];
      const std::optional<std::size_t> count = head.byte_count();
      const std::uint64_t next =
          i + 1 < heads.size() ? heads[i + 1].bytes_at : std::uint64_t{columns.size()};
      const bool fits = count && head.bytes_at <= columns.size() &&
                        next == head.bytes_at + rounded_up_to(kChunkAlignment, *count) &&
                        (i > 0 || head.bytes_at == 0) && next <= columns.size();
      if (!fits) {
        sound = false;
        return;
      }
      chunks_[i] = SliceChunk::over(head, columns.data() + head.bytes_at, nullptr, this);
    }
  });
  return sound && (!heads.empty() || columns.empty());
}

bool MappedCopy::at_hand(std::span<const std::byte> wanted) const {
  const std::span<const std::byte> columns = bytes(Section::columns);
  if (!all_sound_) {
    const std::span<const ChunkHead> heads = values<ChunkHead>(Section::heads);
    const auto at = static_cast<std::uint64_t>(wanted.data() - columns.data());
    const auto after = std::ranges::upper_bound(heads, at, {}, &ChunkHead::bytes_at);
    const auto head = static_cast<std::size_t>(after - heads.begin()) - 1;
    if (sound_pieces_[head / kHeadsToHash] == 0) return false;
  }
  return read_ahead_.at_hand(wanted, columns);
}

bool MappedCopy::piece_is_sound(std::size_t piece, std::uint32_t names) const {
  const std::span<const ChunkHead> heads = values<ChunkHead>(Section::heads);
  const std::span<const std::byte> columns = bytes(Section::columns);
  const std::size_t first = piece * kHeadsToHash;
  const std::size_t end = std::min(first + kHeadsToHash, heads.size());
  const std::uint64_t begin_at = heads[first].bytes_at;
  const std::uint64_t end_at =
      end < heads.size() ? heads[end].bytes_at : std::uint64_t{columns.size()};
  const std::span<const std::byte> all = columns.subspan(begin_at, end_at - begin_at);
  if (XXH3_64bits(all.data(), all.size()) != values<std::uint64_t>(Section::column_hashes)[piece]) {
    return false;
  }
  std::array<std::uint32_t, kChunkSlices> ids;
  for (const SliceChunk& chunk : std::span(chunks_).subspan(first, end - first)) {
    // Most chunks cannot reach so far.
    const PackedColumn& column = chunk.names();
    if (column.base >= names) return false;
    const std::uint64_t reach = column.width >= 4 ? UINT32_MAX : (1u << 8u * column.width) - 1;
    if (reach < names - column.base) continue;
    const auto read = std::span(ids).first(chunk.count());
    chunk.read_names(0, read);
    if (*std::ranges::max_element(read) >= names) return false;
  }
  return true;
}

}  // namespace cinderscope::prepared
