// Counts of durations by name for segments of a track, kept so that percentiles of a range need not
// look at all calls twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

struct PrecomputedTotals;  // segment_totals.h

// Of the calls that begin in [begin_ns, end_ns). Immutable; any thread.
struct DurationIndex {
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
  std::int64_t last_end_ns = INT64_MIN;  // of the calls that begin in it
  std::vector<std::uint32_t> names;      // ascending
  std::vector<std::uint32_t> ends;       // entries of names[i] end at entries[ends[i]]
  // Buckets of duration_buckets.h in ascending order, each with how many calls have it. What does
  // not fit one entry takes several.
  std::vector<std::uint32_t> entries;

  static constexpr std::uint32_t kCountBits = 20, kMostInEntry = (1u << kCountBits) - 1;
  static std::uint32_t bucket(std::uint32_t entry) { return entry >> kCountBits; }
  static std::uint32_t count(std::uint32_t entry) { return entry & kMostInEntry; }
  std::uint64_t bytes() const;
  // The name comes after all others; nothing without entries.
  void append(std::uint32_t name, std::span<const std::uint32_t> of_name);
  // Empty: there is no such name.
  std::span<const std::uint32_t> of(std::uint32_t name) const;
};

// Appends the counts of one name's buckets, which are sorted if they are few. `dense` has kBuckets
// zeros, before and after.
void append_entries(std::span<std::uint16_t> buckets, std::vector<std::uint32_t>& dense,
                    std::vector<std::uint32_t>& entries);
void append_entry(std::uint32_t bucket, std::uint64_t count, std::vector<std::uint32_t>& entries);

// Works counts out; keeps its memory from one to the next. For one thread.
class DurationCounter {
 public:
  explicit DurationCounter(std::size_t name_count);
  // The calls of the segment, which are all of their own length. False, and nothing, if they are
  // too many for the memory that this may take (8 bytes a call).
  bool count(const TimeSegment& segment, DurationIndex& out);

 private:
  void read(const TimeSegment& segment);

  std::vector<std::uint32_t> places_;  // by name: how many, then where the next bucket goes
  std::vector<std::uint32_t> names_;   // of all calls
  std::vector<std::uint16_t> buckets_, sorted_;
  std::vector<std::uint32_t> dense_;  // by bucket
  SliceColumns columns_;
};

// The calls of a question that are counted already, and the pieces of rows with all others.
struct CountsInScope {
  std::vector<const DurationIndex*> precomputed;
  std::vector<SliceSpan> left;
};
CountsInScope counts_in_scope(std::span<const MeasuredTrack> tracks, const Scope& scope,
                              const PrecomputedTotals& precomputed);

}  // namespace cinderscope
