#include "app/name_totals.h"

#include <algorithm>

namespace cinderscope {

std::vector<NameTotal> name_totals(const Timeline& timeline) {
  std::vector<NameTotal> by_id(timeline.strings->size());
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::thread) continue;
    for (const SliceRow& row : track.root().rows) {
      for (const auto& chunk : row.chunks) {
        for (std::uint32_t i = 0; i < chunk->count(); ++i) {
          NameTotal& total = by_id[index(chunk->name(i))];
          ++total.count;
          if ((chunk->flags(i) & kUnfinished) == 0) total.total_ns += chunk->duration_ns(i);
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
