#include "ingest/os/memory.h"

#include <malloc.h>
#include <windows.h>
// After windows.h, which it needs.
#include <psapi.h>

#include <algorithm>

#include "ingest/base/self_trace.h"

namespace cinderscope {
namespace {

MEMORYSTATUSEX machine_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status) == 0) status = {};
  return status;
}

}  // namespace

std::uint64_t machine_memory_bytes() {
  const std::uint64_t bytes = machine_memory().ullTotalPhys;
  return bytes == 0 ? std::uint64_t{4} << 30 : bytes;
}

// What is free, but no more than may be promised: Windows gives no memory that it has no place for.
std::uint64_t free_memory_bytes() {
  const MEMORYSTATUSEX status = machine_memory();
  if (status.ullTotalPhys == 0) return UINT64_MAX;
  return std::min(status.ullAvailPhys, status.ullAvailPageFile);
}

std::uint64_t own_memory_bytes() {
  PROCESS_MEMORY_COUNTERS_EX counters{};
  const BOOL known = GetProcessMemoryInfo(
      GetCurrentProcess(), reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&counters), sizeof counters);
  if (known == 0) return 0;
  // Wine does not tell what is private.
  return counters.PrivateUsage != 0 ? counters.PrivateUsage : counters.WorkingSetSize;
}

void give_back_free_memory() {
  const SelfTraceMark mark("give memory back");
  _heapmin();
}

void give_back_pages(std::span<std::byte> /*unused*/) {}  // they belong to the heap

void keep_large_blocks_apart() {}  // the heap of Windows does so by itself

}  // namespace cinderscope
