#include "ingest/os/page_cache.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace cinderscope {
namespace {

struct WholePages {
  std::byte* begin = nullptr;
  std::size_t page_bytes = 0, count = 0;
};

WholePages whole_pages(std::span<const std::byte> bytes) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
  return {reinterpret_cast<std::byte*>(begin), page, (end - begin + page - 1) / page};
}

}  // namespace

bool pages_are_in_memory(std::span<const std::byte> bytes) {
  if (bytes.empty()) return true;
  const WholePages pages = whole_pages(bytes);
  std::array<unsigned char, 256> there;
  for (std::size_t first = 0; first < pages.count; first += there.size()) {
    const std::size_t count = std::min(there.size(), pages.count - first);
    std::byte* const from = pages.begin + first * pages.page_bytes;
    if (mincore(from, count * pages.page_bytes, there.data()) != 0) return true;
    const auto is_there = [](unsigned char page) { return (page & 1u) != 0; };
    if (!std::all_of(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(count), is_there)) {
      return false;
    }
  }
  return true;
}

void ask_for_pages(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const WholePages pages = whole_pages(bytes);
  madvise(pages.begin, pages.count * pages.page_bytes, MADV_WILLNEED);
}

}  // namespace cinderscope
