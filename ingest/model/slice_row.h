// All slices of one depth of a track: a list of chunks and the summary tree above them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ingest/model/slice_chunk.h"

namespace cinderscope {

// Time bounds and summary of neighbouring slices of a row: a quarter of a cache line.
struct LodSpan {
  std::int64_t begin_ns = 0;
  float length_ns = 0;  // from the first begin to the last end, rounded up
  LodSummary summary;
};
static_assert(sizeof(LodSpan) == 16);

inline constexpr std::uint32_t kUpperSlices = 64;  // slices of a span in upper[0]
inline constexpr std::uint32_t kUpperFanout = 4;   // spans of one level in a span of the next

// One row of slices, sorted by begin_ns; no two slices overlap by more than the file's last
// decimal. Every chunk but the last holds kChunkSlices slices, so a slice's index tells where it
// lies. Copying shares the chunks.
struct SliceRow {
  std::vector<std::shared_ptr<const SliceChunk>> chunks;
  // upper[0][i] sums up slices [64 i, 64 i + 64); a span of a further level sums up four of the
  // level below; the last level has one span. So a walk from the top meets few spans for a pixel
  // and reads them one after another without touching chunks. Filled by build_lod().
  std::vector<std::vector<LodSpan>> upper;

  std::uint64_t count() const {
    return chunks.empty() ? 0 : (chunks.size() - 1) * kChunkSlices + chunks.back()->count();
  }
  const SliceChunk& chunk_of(std::uint64_t i) const { return *chunks[i / kChunkSlices]; }
  static std::uint32_t in_chunk(std::uint64_t i) {
    return static_cast<std::uint32_t>(i % kChunkSlices);
  }

  std::int64_t begin_ns(std::uint64_t i) const { return chunk_of(i).begin_ns(in_chunk(i)); }
  std::int64_t duration_ns(std::uint64_t i) const { return chunk_of(i).duration_ns(in_chunk(i)); }
  std::int64_t end_ns(std::uint64_t i) const { return chunk_of(i).end_ns(in_chunk(i)); }
  StringId name(std::uint64_t i) const { return chunk_of(i).name(in_chunk(i)); }
  std::uint8_t flags(std::uint64_t i) const { return chunk_of(i).flags(in_chunk(i)); }
  Slice slice(std::uint64_t i) const { return chunk_of(i).slice(in_chunk(i)); }

  // Index of the first slice with begin_ns >= t; count() if none. O(log n).
  std::uint64_t lower_bound(std::int64_t t_ns) const;
  // Index of the last slice with begin_ns <= t, or count() if none begins so early. O(log n).
  std::uint64_t last_begun(std::int64_t t_ns) const;

  void build_lod();
  std::size_t kept_bytes() const;
  std::size_t lod_bytes() const;
};

}  // namespace cinderscope
