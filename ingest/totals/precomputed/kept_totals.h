// Precomputed totals as bytes, piece by piece: for the prepared copy of a trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "ingest/model/slice_set.h"
#include "ingest/totals/precomputed/precompute.h"

namespace cinderscope {

// The bytes are texts, each with its length before it, of some neighbouring segments of one track;
// then an empty one, and whether these are all, which a writer finds out last.
enum class TotalsKind : std::uint8_t { sums, counts };
enum class TotalsEnd : std::uint8_t { none, whole };

// Works out the totals piece by piece and hands them over as bytes, so that they are never in
// memory as a whole: it takes some 60 MB, and 200 bytes for each name and job. What would be more
// than precomputed_totals_of() keeps is left out: of such a trace there are no totals. Ends early
// once cancelled; then what was written is no good.
void write_totals(const SliceSet& set, unsigned jobs, const std::atomic<bool>& cancelled,
                  const std::function<void(std::string_view bytes)>& write,
                  std::uint64_t most_bytes = kMostPrecomputedBytes,
                  const SegmentSize& size = {.slices = 1 << 17});

// What write_totals() wrote of the same slices. Every number that is an index is looked at, and
// segments are in order; sums themselves are believed. `sound` is false where the bytes are not
// such; null, too, where there are no totals.
struct ReadTotals {
  std::shared_ptr<const PrecomputedTotals> totals;
  bool sound = true;
};
ReadTotals read_totals(std::string_view bytes, const SliceSet& set, unsigned jobs);

}  // namespace cinderscope
