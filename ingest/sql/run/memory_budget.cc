#include "ingest/sql/run/memory_budget.h"

#include <sqlite3.h>

#include <cstdlib>
#include <mutex>

namespace cinderscope {

namespace {

thread_local MemoryBudget* budget_of_thread = nullptr;

// Before each block stands its size.
constexpr std::size_t kHead = 16;

void* allocate(int bytes) {
  const std::size_t size = static_cast<std::size_t>(bytes) + kHead;
  if (budget_of_thread != nullptr && !budget_of_thread->take(size)) return nullptr;
  auto* block = static_cast<unsigned char*>(std::malloc(size));
  if (block == nullptr) {
    if (budget_of_thread != nullptr) budget_of_thread->give_back(size);
    return nullptr;
  }
  *reinterpret_cast<std::size_t*>(block) = size;
  return block + kHead;
}

int size_of(void* memory) {
  if (memory == nullptr) return 0;
  const auto* block = static_cast<unsigned char*>(memory) - kHead;
  return static_cast<int>(*reinterpret_cast<const std::size_t*>(block) - kHead);
}

void release(void* memory) {
  if (memory == nullptr) return;
  auto* block = static_cast<unsigned char*>(memory) - kHead;
  if (budget_of_thread != nullptr) {
    budget_of_thread->give_back(*reinterpret_cast<std::size_t*>(block));
  }
  std::free(block);
}

void* reallocate(void* memory, int bytes) {
  auto* block = static_cast<unsigned char*>(memory) - kHead;
  const std::size_t before = *reinterpret_cast<std::size_t*>(block);
  const std::size_t size = static_cast<std::size_t>(bytes) + kHead;
  MemoryBudget* budget = budget_of_thread;
  if (budget != nullptr && size > before && !budget->take(size - before)) return nullptr;
  auto* moved = static_cast<unsigned char*>(std::realloc(block, size));
  if (moved == nullptr) {
    if (budget != nullptr && size > before) budget->give_back(size - before);
    return nullptr;
  }
  if (budget != nullptr && size < before) budget->give_back(before - size);
  *reinterpret_cast<std::size_t*>(moved) = size;
  return moved + kHead;
}

}  // namespace

BudgetOfThread::BudgetOfThread(MemoryBudget& budget) : before_(budget_of_thread) {
  budget_of_thread = &budget;
}

BudgetOfThread::~BudgetOfThread() {
  budget_of_thread = before_;
}

void count_sqlite_memory() {
  static std::once_flag once;
  std::call_once(once, [] {
    static const sqlite3_mem_methods methods = {
        .xMalloc = allocate,
        .xFree = release,
        .xRealloc = reallocate,
        .xSize = size_of,
        .xRoundup = [](int bytes) { return (bytes + 7) & ~7; },
        .xInit = [](void*) { return SQLITE_OK; },
        .xShutdown = [](void*) {},
        .pAppData = nullptr,
    };
    // Refused where somebody else has used SQLite before: then only temporary files are counted.
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // saves a lock for each block
  });
}

}  // namespace cinderscope
