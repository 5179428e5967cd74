// Where the bytes of sealed chunks are kept, if not in memory.
#pragma once

#include <cstddef>
#include <span>

namespace cinderscope {

// What knows whether bytes of chunks can be read without waiting: for the disk, or for a look at
// whether they are sound.
class ChunkPages {
 public:
  virtual ~ChunkPages() = default;
  // False: not yet, and they are on their way. Any thread; takes microseconds at most.
  virtual bool at_hand(std::span<const std::byte> bytes) const = 0;
};

class ChunkArena {
 public:
  virtual ~ChunkArena() = default;
  // The same bytes at a place where they stay for as long as the arena lives, aligned to
  // 4 bytes. Null: the arena has no room for them. Any thread.
  virtual const std::byte* keep(std::span<const std::byte> bytes) = 0;
  // Of all bytes that it keeps; null: they are always at hand. Lives as long as the arena.
  virtual const ChunkPages* pages() const { return nullptr; }
};

}  // namespace cinderscope
