#include "ingest/model/call_walk.h"

namespace cinderscope {

RowSegment segment_of(const SliceRow& row, const Scope& scope) {
  if (!scope.has_range()) return {0, row.count()};
  // Slices of a row do not overlap but by a file's last decimal, so only the last one that begins
  // before the range can reach into it.
  std::uint64_t first = row.lower_bound(scope.begin_ns);
  if (first > 0 && row.end_ns(first - 1) > scope.begin_ns) --first;
  return {first, std::max(first, row.lower_bound(scope.end_ns))};
}

namespace walk {

std::vector<Cursor> cursors_of(const TrackSlices& track, const Scope& scope) {
  std::vector<Cursor> cursors;
  for (std::size_t b = 0; b < track.blocks.size(); ++b) {
    const SliceBlock* block = track.blocks[b].get();
    if (block == nullptr) continue;
    for (std::uint32_t row = 0; row < block->rows.size(); ++row) {
      const RowSegment segment = segment_of(block->rows[row], scope);
      const BlockId id{static_cast<std::uint32_t>(b)};
      cursors.push_back({&block->rows[row], segment.first, segment.end,
                         SliceRef{track.track, id, row, 0}, block->base_depth + row});
    }
  }
  return cursors;
}

}  // namespace walk
}  // namespace cinderscope
