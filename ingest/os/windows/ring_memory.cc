#include "ingest/os/ring_memory.h"

namespace cinderscope {

// Two views side by side would need placeholders, which Wine and Windows before 1803 do not know.
std::shared_ptr<RingMemory> RingMemory::create(std::size_t /*bytes*/) {
  return nullptr;
}

bool RingMemory::reach(std::uint64_t /*end*/) {
  return false;
}

RingMemory::~RingMemory() = default;

}  // namespace cinderscope
