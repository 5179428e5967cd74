// A prepared copy as it lies in its file: its sections, and the chunks over its columns.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/base/chunk_arena.h"
#include "ingest/base/result.h"
#include "ingest/os/mapped_file.h"
#include "ingest/os/read_ahead.h"
#include "ingest/prepared/copy_layout.h"

namespace cinderscope::prepared {

Error damaged_copy();

// Stays mapped while it lives; a file that shrinks meanwhile reads as zeros.
class MappedCopy : private ChunkPages {
 public:
  // Header and table were looked at, and every section lies within the file. An Error `cannot_read`
  // if there is no such file, `damaged` if it is no copy.
  static Result<std::shared_ptr<MappedCopy>> open(const std::filesystem::path& path);

  std::string_view text(Section section) const {
    const std::span<const std::byte> all = bytes(section);
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
  // As many values as are whole.
  template <class T>
  std::span<const T> values(Section section) const {
    const std::span<const std::byte> all = bytes(section);
    return {reinterpret_cast<const T*>(all.data()), all.size() / sizeof(T)};
  }

  // The section has the hash that the table says. True for the columns, which have many.
  bool is_sound(Section section) const;

  // Chunks over the columns, one for each head, in their order. False if a head fits no chunk, or
  // they do not lie one behind the other in the columns. Once.
  bool make_chunks(unsigned jobs);
  std::span<const SliceChunk> chunks() const { return chunks_; }

  // After make_chunks(): whether the bytes of the n-th kHeadsToHash chunks have their hash, and all
  // names in them are below `names`. Any thread.
  bool piece_is_sound(std::size_t piece, std::uint32_t names) const;
  // From then on they are at hand once they are in memory (SliceChunk::at_hand). Any thread.
  void note_sound(std::size_t piece) const { sound_pieces_[piece] = 1; }
  void note_all_sound() const { all_sound_ = true; }

  explicit MappedCopy(UniqueFd file, std::uint64_t size_bytes)
      : file_(std::move(file), size_bytes) {}

 private:
  const SectionEntry& entry(Section section) const {
    return header_.table[static_cast<std::size_t>(section)];
  }
  std::span<const std::byte> bytes(Section section) const {
    return file_.bytes().subspan(entry(section).offset, entry(section).bytes);
  }
  bool header_is_sound();
  bool at_hand(std::span<const std::byte> bytes) const override;

  MappedFile file_;
  Header header_;
  std::vector<SliceChunk> chunks_;
  mutable std::vector<std::atomic<std::uint8_t>> sound_pieces_;
  mutable std::atomic<bool> all_sound_{false};
  mutable ReadAhead read_ahead_;  // last: it ends before the file is unmapped
};

}  // namespace cinderscope::prepared
