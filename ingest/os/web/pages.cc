// There are no pages of a system: what was read lies in memory.
#include "ingest/base/large_pages.h"
#include "ingest/os/mapping_guard.h"
#include "ingest/os/page_cache.h"

namespace cinderscope {

bool pages_are_in_memory(std::span<const std::byte> /*bytes*/) {
  return true;
}

void ask_for_pages(std::span<const std::byte> /*bytes*/) {}

void prefer_large_pages(void* /*begin*/, std::size_t /*bytes*/) {}

MappingGuard::MappingGuard(const void* /*data*/, std::size_t /*size_bytes*/) : range_(nullptr) {}
MappingGuard::~MappingGuard() = default;

bool MappingGuard::tripped() const {
  return false;
}

}  // namespace cinderscope
