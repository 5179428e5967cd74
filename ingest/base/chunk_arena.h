// Where the bytes of sealed chunks are kept, if not in memory.
#pragma once

#include <cstddef>
#include <span>

namespace cinderscope {

class ChunkArena {
 public:
  virtual ~ChunkArena() = default;
  // The same bytes at a place where they stay for as long as the arena lives, aligned to
  // 4 bytes. Null: the arena has no room for them. Any thread.
  virtual const std::byte* keep(std::span<const std::byte> bytes) = 0;
};

}  // namespace cinderscope
