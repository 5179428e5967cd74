#include "ingest/base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace cinderscope {

void prefer_large_pages(void* begin, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  if (page_bytes <= 0) return;
  const auto page = static_cast<std::uintptr_t>(page_bytes);
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (at + page - 1) / page * page, end = (at + bytes) / page * page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#else
  static_cast<void>(begin);
  static_cast<void>(bytes);
#endif
}

}  // namespace cinderscope
