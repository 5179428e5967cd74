#include "ingest/os/page_cache.h"

namespace cinderscope {

// Windows tells of what the process touched, not of what its cache holds.
bool pages_are_in_memory(std::span<const std::byte> /*bytes*/) {
  return true;
}

void ask_for_pages(std::span<const std::byte> /*bytes*/) {}

}  // namespace cinderscope
