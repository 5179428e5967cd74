// Slices that stand in some relation to one slice, or to a time: as runs of neighbours.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Neighbouring slices of a row: `first` and those behind it up to slice `end`.
struct RowRun {
  SliceRef first;
  std::uint64_t end = 0;

  std::uint64_t count() const { return end - first.slice; }
  bool operator==(const RowRun&) const = default;
};

// By rows from the outermost in. Where rows tell what lies in what (no overlaps, nothing loaded
// later) this takes O(rows log n), else a walk through all that lies in the slice, which ends soon
// once `cancelled`.
std::vector<RowRun> children_of(const Timeline& timeline, const SliceRef& slice,
                                const std::atomic<bool>* cancelled = nullptr);
// `levels` deep at most; 1: the children alone.
std::vector<RowRun> descendants_of(const Timeline& timeline, const SliceRef& slice,
                                   std::uint64_t levels = UINT64_MAX,
                                   const std::atomic<bool>* cancelled = nullptr);
// Those that contain the slice, from the nearest out.
std::vector<SliceRef> ancestors_of(const Timeline& timeline, const SliceRef& slice);

// Slices of the track that overlap [begin_ns, end_ns); those without length that begin there.
std::vector<RowRun> overlapping(const Timeline& timeline, TrackId track, std::int64_t begin_ns,
                                std::int64_t end_ns);

// The innermost slice that goes on at the time, or the one that `depth` slices contain (1:
// outermost is not contained); falsy if there is none.
SliceRef slice_at_time(const Timeline& timeline, TrackId track, std::int64_t ns,
                       std::optional<std::int64_t> depth = std::nullopt);

}  // namespace cinderscope
