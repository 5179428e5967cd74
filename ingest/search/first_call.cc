#include "ingest/search/first_call.h"

#include <bit>
#include <mutex>
#include <tuple>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/search/slice_bits.h"

namespace cinderscope {

namespace {

// The first slice with such a name that begins before `limit_ns`, or at it; row.count() if none.
std::uint64_t first_on(const SliceRow& row, const NameMask& mask,
                       const std::atomic<std::int64_t>& limit_ns) {
  for (std::size_t c = 0; c < row.chunks.size(); ++c) {
    const SliceChunk& chunk = *row.chunks[c];
    if (chunk.first_begin_ns() > limit_ns.load(std::memory_order_relaxed)) break;
    ChunkBits bits{};
    if (mark_names(chunk, mask, bits) == 0) continue;
    std::uint64_t word = 0;
    while (bits[word] == 0) ++word;
    return c * kChunkSlices + word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits[word]));
  }
  return row.count();
}

}  // namespace

SliceRef first_call_of(const SliceSet& set, StringId name, unsigned jobs) {
  std::vector<std::uint8_t> holds(set.strings->size());
  if (index(name) >= holds.size()) return {};
  holds[index(name)] = 1;
  const NameMask mask(std::move(holds));
  struct Place {
    const SliceRow* row;
    SliceRef ref;
  };
  std::vector<Place> rows;
  for (const TrackSlices& track : set.tracks) {
    if (track.blocks.empty() || track.blocks.front() == nullptr) continue;
    const std::vector<SliceRow>& of_track = track.blocks.front()->rows;
    for (std::uint32_t r = 0; r < of_track.size(); ++r) {
      rows.push_back({&of_track[r], {track.track, BlockId{}, r, 0}});
    }
  }
  std::atomic<std::int64_t> best_ns = INT64_MAX;
  std::mutex mutex;
  SliceRef best;
  const auto key = [](const SliceRef& ref) { return std::tuple(index(ref.track), ref.row); };
  parallel_for(rows.size(), jobs, [&](std::size_t i) {
    const Place& place = rows[i];
    const std::uint64_t found = first_on(*place.row, mask, best_ns);
    if (found == place.row->count()) return;
    const std::int64_t begin_ns = place.row->begin_ns(found);
    SliceRef ref = place.ref;
    ref.slice = found;
    const std::lock_guard lock(mutex);
    if (best && (begin_ns > best_ns || (begin_ns == best_ns && key(best) < key(ref)))) return;
    best = ref;
    best_ns = begin_ns;
  });
  return best;
}

}  // namespace cinderscope
