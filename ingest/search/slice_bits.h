// One bit for each slice of a chunk: which of them a search keeps.
#pragma once

#include <array>
#include <cstdint>

#include "ingest/model/slice_chunk.h"
#include "ingest/search/name_mask.h"
#include "ingest/search/number_range.h"

namespace cinderscope {

using ChunkBits = std::array<std::uint64_t, kChunkSlices / 64>;

ChunkBits all_bits(std::uint32_t count);
std::uint32_t count_bits(const ChunkBits& bits);

// The slices whose names match; returns how many there are. `bits` is written as a whole, unless
// there are none.
std::uint32_t mark_names(const SliceChunk& chunk, const NameMask& mask, ChunkBits& bits);

// Clears the bits of all slices but [first, end).
void keep_between(std::uint32_t first, std::uint32_t end, ChunkBits& bits);

// Clears the bits of slices that do not last as long as wanted; `negated`: of those that do.
void keep_durations(const SliceChunk& chunk, const TimeBounds& wanted, bool negated,
                    ChunkBits& bits);

}  // namespace cinderscope
