#include "ingest/prepared/fill_rows.h"

#include <atomic>
#include <span>

#include "ingest/base/parallel.h"

namespace cinderscope::prepared {
namespace {

// Where the parts of a row begin.
struct RowPlace {
  std::size_t first_chunk = 0, first_span = 0;
};

std::uint64_t slices_of_row(std::span<const SliceChunk> chunks) {
  return (chunks.size() - 1) * kChunkSlices + chunks.back().count();
}

// Calls `level(spans)` for the length of each level above so many slices.
template <class Level>
void for_levels(std::uint64_t slices, const Level& level) {
  std::uint64_t spans = (slices + kUpperSlices - 1) / kUpperSlices;
  level(spans);
  while (spans > 1) {
    spans = (spans + kUpperFanout - 1) / kUpperFanout;
    level(spans);
  }
}

bool is_row(std::span<const SliceChunk> chunks, bool has_upper) {
  for (const SliceChunk& chunk : chunks.first(chunks.size() - 1)) {
    if (chunk.count() != kChunkSlices) return false;
  }
  // Those without summaries are never drawn and have nothing above them.
  for (const SliceChunk& chunk : chunks) {
    if (has_upper && chunk.head().has_summaries == 0) return false;
  }
  return true;
}

}  // namespace

bool fill_rows(const std::shared_ptr<const MappedCopy>& copy, const std::vector<RowToFill>& rows,
               unsigned jobs) {
  const std::span<const SliceChunk> chunks = copy->chunks();
  const std::span<const LodSpan> spans = copy->values<LodSpan>(Section::upper);
  std::vector<RowPlace> places;
  places.reserve(rows.size());
  RowPlace next;
  for (const RowToFill& row : rows) {
    if (row.chunks > chunks.size() - next.first_chunk) return false;
    places.push_back(next);
    const auto own = chunks.subspan(next.first_chunk, row.chunks);
    next.first_chunk += row.chunks;
    if (!row.has_upper) continue;
    for_levels(slices_of_row(own), [&](std::uint64_t count) { next.first_span += count; });
  }
  if (next.first_chunk != chunks.size() || next.first_span != spans.size()) return false;

  std::atomic<bool> sound{true};
  parallel_for(rows.size(), jobs, [&](std::size_t i) {
    const RowToFill& row = rows[i];
    const auto own = chunks.subspan(places[i].first_chunk, row.chunks);
    if (!is_row(own, row.has_upper)) {
      sound = false;
      return;
    }
    row.row->chunks.reserve(own.size());
    for (const SliceChunk& chunk : own) row.row->chunks.emplace_back(copy, &chunk);
    if (!row.has_upper) return;
    auto level = spans.subspan(places[i].first_span);
    for_levels(slices_of_row(own), [&](std::uint64_t count) {
      row.row->upper.emplace_back(level.begin(),
                                  level.begin() + static_cast<std::ptrdiff_t>(count));
      level = level.subspan(count);
    });
  });
  return sound;
}

}  // namespace cinderscope::prepared
