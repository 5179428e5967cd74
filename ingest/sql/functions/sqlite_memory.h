// Memory that counts among what SQLite takes for sorting.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <memory_resource>
#include <new>

namespace cinderscope {

// Throws std::bad_alloc where the query's limit is reached. SQLite's blocks lie at multiples of 8.
class SqliteMemory final : public std::pmr::memory_resource {
 public:
  static SqliteMemory* instance() {
    static SqliteMemory memory;
    return &memory;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* block = alignment > 8 ? nullptr : sqlite3_malloc64(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  void do_deallocate(void* block, std::size_t, std::size_t) override { sqlite3_free(block); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace cinderscope
