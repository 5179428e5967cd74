// Some of a trace's slices, whatever they have in common: what the set of a scope stands for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Neighbouring slices of a row.
struct SliceRun {
  std::uint64_t first = 0, end = 0;
  bool operator==(const SliceRun&) const = default;
};

struct PickedRow {
  TrackId track = kNoTrack;
  BlockId block{};
  std::uint32_t row = 0;
  std::vector<SliceRun> runs;  // ascending; no two of them touch

  std::uint64_t count() const;
  bool has(std::uint64_t slice) const;  // O(log runs)
};

// Immutable once made; any thread. Takes 16 bytes for each run, so that both a few slices and all
// of a thread cost little.
struct PickedSlices {
  std::vector<PickedRow> rows;  // those with slices, by track, block, row

  std::uint64_t count() const;
  bool has(const SliceRef& slice) const;
  std::span<const PickedRow> of_track(TrackId track) const;
  const PickedRow* row_of(const SliceRef& slice) const;  // null: it has none of them
};

// In any order; a slice may be given several times.
PickedSlices picked_slices(std::vector<SliceRef> slices);

}  // namespace cinderscope
