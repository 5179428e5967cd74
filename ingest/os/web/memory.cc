#include "ingest/os/memory.h"

#include <emscripten/heap.h>
#include <malloc.h>

#include <cstddef>

namespace cinderscope {

// A page knows its own memory alone, which grows up to a limit and never shrinks.
std::uint64_t machine_memory_bytes() {
  return emscripten_get_heap_max();
}

std::uint64_t free_memory_bytes() {
  const std::uint64_t there = emscripten_get_heap_size(), most = emscripten_get_heap_max();
  return most - there + static_cast<std::size_t>(mallinfo().fordblks);
}

std::uint64_t own_memory_bytes() {
  return emscripten_get_heap_size();
}

void give_back_free_memory() {}
void give_back_pages(std::span<std::byte> /*unused*/) {}

void keep_large_blocks_apart() {}

}  // namespace cinderscope
