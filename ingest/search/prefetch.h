// What of chunks is asked for before its turn: they lie all over the memory.
#pragma once

#include <cstddef>

#include "ingest/model/slice_chunk.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

inline constexpr std::size_t kCacheLine = 64;  // bytes that come at once

inline void prefetch_header(const SliceRow& row, std::size_t chunk) {
  if (chunk >= row.chunks.size()) return;
  const auto* header = reinterpret_cast<const std::byte*>(row.chunks[chunk].get());
  for (std::size_t at = 0; at < sizeof(SliceChunk); at += kCacheLine)
    __builtin_prefetch(header + at);
}
inline void prefetch_names(const SliceRow& row, std::size_t chunk) {
  if (chunk >= row.chunks.size()) return;
  const PackedColumn& names = row.chunks[chunk]->names();
  const std::size_t bytes = std::size_t{names.width} * row.chunks[chunk]->count();
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(names.data + at);
}

}  // namespace cinderscope
