// One bit for each slice of a chunk: whether it matches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ingest/model/picked_slices.h"
#include "ingest/model/slice_chunk.h"
#include "ingest/search/name_mask.h"
#include "ingest/search/number_range.h"

namespace cinderscope {

using ChunkBits = std::array<std::uint64_t, kChunkSlices / 64>;

ChunkBits all_bits(std::uint32_t count);
std::uint32_t count_bits(const ChunkBits& bits);

// Sets the bits of slices whose names match; returns their number. Without any `bits` stays as it
// was.
std::uint32_t mark_names(const SliceChunk& chunk, const NameMask& mask, ChunkBits& bits);

// Clears the bits of all slices but [first, end).
void keep_between(std::uint32_t first, std::uint32_t end, ChunkBits& bits);

// Clears the bits of all slices that are in none of the runs; `first` is the row's slice that the
// chunk begins with.
void keep_runs(std::span<const SliceRun> runs, std::uint64_t first, ChunkBits& bits);

// Clears the bits of slices whose duration is not within the bounds; `negated`: is within.
void keep_durations(const SliceChunk& chunk, const TimeBounds& wanted, bool negated,
                    ChunkBits& bits);

}  // namespace cinderscope
