#include "ingest/os/memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ingest/base/self_trace.h"
#include "ingest/os/control_group.h"

namespace cinderscope {

std::uint64_t machine_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), one_page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || one_page_bytes <= 0) return std::uint64_t{4} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(one_page_bytes);
}

std::uint64_t free_memory_bytes() {
  std::uint64_t free_bytes = UINT64_MAX;
  std::ifstream machine("/proc/meminfo");
  for (std::string word; machine >> word;) {
    if (word != "MemAvailable:") continue;
    std::uint64_t kib = 0;
    if (machine >> kib) free_bytes = kib * 1024;
    break;
  }
  return std::min(free_bytes, free_in_control_groups("/proc/self/cgroup", "/sys/fs/cgroup"));
}

std::uint64_t own_memory_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kib = 0;
  while (status >> word) {
    if (word != "RssAnon:" && word != "RssShmem:") continue;
    std::uint64_t value = 0;
    status >> value;
    kib += value;
  }
  return kib * 1024;
}

void give_back_free_memory() {
  const SelfTraceMark mark("give memory back");
  malloc_trim(0);
}

void give_back_pages(std::span<std::byte> unused) {
  const long one_page_bytes = sysconf(_SC_PAGE_SIZE);
  if (one_page_bytes <= 0) return;
  const auto page = static_cast<std::uintptr_t>(one_page_bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(unused.data());
  const std::size_t skipped = (begin + page - 1) / page * page - begin;
  if (skipped >= unused.size()) return;
  const std::span<std::byte> inner = unused.subspan(skipped);
  if (inner.size() >= page) madvise(inner.data(), inner.size() / page * page, MADV_DONTNEED);
}

void keep_large_blocks_apart() {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  // Above what drawing a frame by the CPU takes and gives back: some megabytes, of which each page
  // would be asked for anew in each frame.
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

}  // namespace cinderscope
