// Text <-> StringId. Append only; text never moves, so views of it live as long as the pool.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/model/hue.h"
#include "ingest/model/ids.h"

namespace cinderscope {

class ChunkArena;

class StringPool {
 public:
  StringPool();
  // A name as a pool knew it, to have it again without looking at its letters.
  struct Known {
    std::string_view text;
    std::uint32_t hash = 0;  // stable_hash() of the text
    bool has_label = false;
    std::string_view label;
    std::uint32_t colour = 0;  // of a name with a label
  };
  // A pool of these, which are all different and begin with the empty text; the n-th gets the id n.
  // Their letters stay where they are, and `owner` is held for as long.
  StringPool(std::span<const Known> known, std::shared_ptr<const void> owner);
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  ~StringPool();

  // Any thread. Equal texts give equal ids; the text is copied. Takes a lock, so loaders that
  // intern once an event keep a small cache in front. A symbol of C++ gets its readable name as
  // label (demangle.h).
  StringId intern(std::string_view text);

  // Interns a name that is shown as `label` and coloured by `colour` instead of its own text and
  // hash. The label and colour of a text's first interning stay.
  StringId intern(std::string_view text, std::string_view label, std::uint32_t colour);

  // Any thread. The id of `text`, if it was interned before.
  std::optional<StringId> find(std::string_view text) const;

  // Any thread that was given the id in a synchronised way; takes no lock.
  std::string_view text(StringId id) const;
  // The label to show to the user; the text itself if the name has none.
  std::string_view label(StringId id) const;
  // All that the pool knows of a name; `id` is one of its own.
  Known known(StringId id) const;
  // Picks the name's colour: the colour it was interned with, else a hash of its text that is the
  // same in every run.
  std::uint32_t hash(StringId id) const {
    if (index(id) >= size()) return 0;
    const Look* look = look_of(id);
    return look != nullptr ? look->colour : entry(id).hash;
  }
  // colour_from_hash(hash(id)). Inline, since it is asked for every slice that is packed.
  std::uint32_t colour(StringId id) const {
    return index(id) < kNearColours ? near_colours_[index(id)] : colour_from_hash(hash(id));
  }

  // Where chunks go whose slices have names of this pool; null: into memory. Set while nobody else
  // seals chunks.
  const std::shared_ptr<ChunkArena>& arena() const { return arena_; }
  void keep_chunks_in(std::shared_ptr<ChunkArena> arena) { arena_ = std::move(arena); }

  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::uint64_t kept_bytes() const;
  // Tells it from all other pools, those that are gone included, whose address it may have.
  std::uint64_t serial() const { return serial_; }

 private:
  struct Entry {
    const char* data;
    std::uint32_t size;
    std::uint32_t hash;
  };
  // How a name is shown if it has a label.
  struct Look {
    const char* label = nullptr;  // null: none
    std::uint32_t label_size = 0;
    std::uint32_t colour = 0;
  };
  static constexpr std::uint32_t kFirstSegmentBits = 10;  // segment k holds 2^(10+k) entries
  static constexpr std::size_t kSegments = 23;
  static constexpr std::uint32_t kNearColours = 1u << 14;

  struct Slot {
    std::size_t segment, index;
  };
  static Slot slot_of(StringId id) {
    const std::uint64_t position = std::uint64_t{index(id)} + (1u << kFirstSegmentBits);
    const auto bits = static_cast<std::uint32_t>(std::bit_width(position) - 1);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a position is never 0.
    return {bits - kFirstSegmentBits, position - (std::uint64_t{1} << bits)};
  }
  const Entry& entry(StringId id) const {
    const Slot slot = slot_of(id);
    return segments_[slot.segment].load(std::memory_order_acquire)[slot.index];
  }
  const Look* look_of(StringId id) const {
    const Slot slot = slot_of(id);
    const Look* looks = looks_[slot.segment].load(std::memory_order_acquire);
    return looks == nullptr || looks[slot.index].label == nullptr ? nullptr : &looks[slot.index];
  }
  StringId intern(std::string_view text, const Look* look);
  void set_entry(std::uint32_t id, const Entry& entry, const Look* look);
  std::size_t table_index(std::string_view text, std::uint32_t hash) const;
  const char* store(std::string_view text);
  void grow_table();

  std::array<std::atomic<Entry*>, kSegments> segments_{};
  std::array<std::atomic<Look*>, kSegments> looks_{};  // null: no name of the segment has a label
  // colour() of the first names; most traces have no more. 0 for names to come.
  std::unique_ptr<std::uint8_t[]> near_colours_ = std::make_unique<std::uint8_t[]>(kNearColours);
  std::atomic<std::uint32_t> size_{0};
  const std::uint64_t serial_;
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> table_;  // open addressing: id + 1, 0 is free
  std::vector<std::unique_ptr<char[]>> text_blocks_, long_texts_;
  std::size_t block_used_ = 0, block_size_ = 0;
  std::uint64_t kept_text_bytes_ = 0;
  std::shared_ptr<ChunkArena> arena_;
  std::shared_ptr<const void> owner_;              // of texts that were there from the start
  std::atomic<std::uint64_t> demangled_bytes_{0};  // so far
};

// FNV-like mix of the bytes, the same on every machine, since it picks colours.
std::uint32_t stable_hash(std::string_view text);

}  // namespace cinderscope
