// How many nodes a call tree may have that is shown: as many as the machine's memory is good for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ingest/os/memory.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

// While a tree is made by two workers it takes up to 360 bytes a node: the tree of each, the slots
// to find nodes by, and both again while they grow. So that is less than a twentieth of the memory.
inline std::size_t most_drawn_nodes(std::uint64_t memory_bytes = machine_memory_bytes()) {
  constexpr std::uint64_t kMemoryForANode = std::uint64_t{8} << 10;
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(memory_bytes / kMemoryForANode, 100'000, kMaxCallTreeNodes));
}

}  // namespace cinderscope
