#include "formats/lincheck/trace_map.h"

#include <algorithm>

namespace cinderscope::lincheck {

std::uint32_t TraceMap::thread_of(std::int32_t id) {
  const auto [found, is_new] =
      thread_by_id.try_emplace(id, static_cast<std::uint32_t>(threads.size()));
  if (is_new) threads.push_back({.id = id});
  return found->second;
}

const Block* TraceMap::block_at(std::uint64_t physical) const {
  const auto after = std::ranges::upper_bound(blocks, physical, {}, &Block::begin);
  if (after == blocks.begin()) return nullptr;
  const Block& block = *std::prev(after);
  return physical >= block.payload() && physical < block.end() ? &block : nullptr;
}

}  // namespace cinderscope::lincheck
