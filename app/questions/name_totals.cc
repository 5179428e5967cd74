#include "app/questions/name_totals.h"

#include <algorithm>
#include <array>
#include <span>

namespace cinderscope {

std::vector<NameTotal> name_totals(const Timeline& timeline) {
  std::vector<NameTotal> by_id(timeline.strings->size());
  std::array<std::uint32_t, kChunkSlices> names;
  std::array<std::int64_t, kChunkSlices> durations_ns;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::thread) continue;
    for (const SliceRow& row : track.root().rows) {
      for (const auto& chunk : row.chunks) {
        chunk->read_names(0, std::span(names).first(chunk->count()));
        chunk->read_durations(0, std::span(durations_ns).first(chunk->count()));
        const bool has_flags = chunk->has_flags();
        for (std::uint32_t i = 0; i < chunk->count(); ++i) {
          NameTotal& total = by_id[names[i]];
          ++total.count;
          const bool is_finished = !has_flags || (chunk->flags(i) & kUnfinished) == 0;
          total.total_ns += is_finished ? durations_ns[i] : 0;
        }
      }
    }
  }
  for (std::size_t i = 0; i < by_id.size(); ++i) {
    by_id[i].name = StringId{static_cast<std::uint32_t>(i)};
  }
  std::erase_if(by_id, [](const NameTotal& total) { return total.count == 0; });
  std::sort(by_id.begin(), by_id.end(), [&](const NameTotal& a, const NameTotal& b) {
    if (a.count != b.count) return a.count > b.count;
    return display_name(timeline, a.name) < display_name(timeline, b.name);
  });
  return by_id;
}

}  // namespace cinderscope
