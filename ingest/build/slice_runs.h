// Slices that came in any order: kept as sorted, packed runs and merged into one sorted sequence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ingest/model/slice_row.h"

namespace cinderscope {

// By begin, longer first, then in file order: the order in which slices are nested.
inline bool nests_before(const Slice& a, const Slice& b) {
  if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
  if (a.duration_ns != b.duration_ns) return a.duration_ns > b.duration_ns;
  return a.record < b.record;
}

// A value: a copy shares the chunks.
class SliceRuns {
 public:
  // Runs go where chunks with names of this pool do.
  explicit SliceRuns(const StringPool& names) : names_(&names) {}

  void add(const Slice& slice);
  // Takes a row over as a run: its slices are sorted already.
  void add_row(SliceRow row);
  std::uint64_t count() const { return count_; }

  // Calls `use` for all slices in order of nests_before, until it returns false. Chunks that no
  // copy shares are freed as they are used up. O(n log r) for r runs that overlap in time.
  void merge(const std::function<bool(const Slice&)>& use) &&;

 private:
  using Run = std::vector<std::shared_ptr<const SliceChunk>>;

  void flush();

  const StringPool* names_;
  std::vector<Slice> pending_;
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

}  // namespace cinderscope
