// Bytes in blocks of memory, for a system that has no disk for what is unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ingest/input/pin.h"

namespace cinderscope {

// Grows at its end and gives whole blocks back at its begin. One thread at a time; pins stay good
// on any.
class ByteBlocks {
 public:
  // At the end. How many were written: all unless memory is short.
  std::size_t append(std::span<const std::byte> bytes);

  // Blocks that end at `offset` or before are given back once no pin holds them.
  void drop_to(std::uint64_t offset);

  // What is there, nothing of it dropped. A pointer where all lies in one block that is full or
  // will not grow; else a copy. None without memory for that.
  std::optional<Pin> pin(std::uint64_t offset, std::uint64_t length, bool grows);

  std::uint64_t size_bytes() const { return size_bytes_; }

  static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;

 private:
  using Bytes = std::vector<std::byte>;
  std::shared_ptr<const Bytes> all_in_one();

  std::vector<std::shared_ptr<Bytes>> blocks_;  // of kBlockBytes and the padding; null: dropped
  std::shared_ptr<const Bytes> whole_;          // instead of them, once somebody asked for all
  std::uint64_t size_bytes_ = 0;
};

}  // namespace cinderscope
