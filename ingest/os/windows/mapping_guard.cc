#include "ingest/os/mapping_guard.h"

#include <windows.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace cinderscope {

// Ranges are reused, never freed: the handler walks the list without a lock.
struct GuardedRange {
  std::atomic<bool> taken{true};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size_bytes{0};  // 0: watches nothing
  std::atomic<bool> tripped{false};
  GuardedRange* next = nullptr;
};

namespace {

std::atomic<GuardedRange*> first_range{nullptr};

// A disk or a server of the network that has gone. A view cannot be replaced in part: all of it
// reads as zeros from now on.
bool put_zero_pages(std::uintptr_t address) {
  for (GuardedRange* range = first_range; range != nullptr; range = range->next) {
    const std::uintptr_t begin = range->begin;
    const std::size_t size_bytes = range->size_bytes;
    if (address < begin || address - begin >= size_bytes) continue;
    if (range->tripped.exchange(true)) return true;  // another thread is at it
    void* const region = reinterpret_cast<void*>(begin);
    UnmapViewOfFile(region);
    return VirtualAlloc(region, size_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READONLY) == region;
  }
  return false;
}

LONG CALLBACK on_exception(EXCEPTION_POINTERS* all) {
  const EXCEPTION_RECORD& record = *all->ExceptionRecord;
  if (record.ExceptionCode != static_cast<DWORD>(EXCEPTION_IN_PAGE_ERROR)) {
    return EXCEPTION_CONTINUE_SEARCH;
  }
  const bool handled = put_zero_pages(record.ExceptionInformation[1]);
  return handled ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
}

GuardedRange* take_range() {
  for (GuardedRange* range = first_range; range != nullptr; range = range->next) {
    bool free = false;
    if (range->taken.compare_exchange_strong(free, true)) return range;
  }
  auto* range = new GuardedRange;
  range->next = first_range;
  while (!first_range.compare_exchange_weak(range->next, range)) {
  }
  return range;
}

}  // namespace

MappingGuard::MappingGuard(const void* data, std::size_t size_bytes) {
  static std::once_flag once;
  std::call_once(once, [] { AddVectoredExceptionHandler(1, on_exception); });
  range_ = take_range();
  range_->tripped = false;
  range_->begin = reinterpret_cast<std::uintptr_t>(data);
  range_->size_bytes = size_bytes;
}

MappingGuard::~MappingGuard() {
  range_->size_bytes = 0;
  range_->begin = 0;
  range_->taken = false;
}

bool MappingGuard::tripped() const {
  return range_->tripped;
}

}  // namespace cinderscope
