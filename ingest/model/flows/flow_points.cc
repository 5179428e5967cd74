#include "ingest/model/flows/flow_points.h"

#include <map>
#include <utility>

namespace cinderscope {

std::int64_t FlowPoints::own_time_ns(std::uint64_t i) const {
  if (with_slice_.is_marked(i)) return 0;
  const std::size_t kept = with_slice_.unmarked_before(i);
  const std::size_t bound_before = unbound_.unmarked_before(kept);
  return static_cast<std::int64_t>(unbound_.is_marked(kept)
                                       ? time_base_ + time_[kept - bound_before]
                                       : since_base_ + since_[bound_before]);
}

FlowPoints FlowPoints::of(std::size_t count, const std::function<FlowPoint(std::size_t)>& point) {
  struct Told {
    std::uint64_t slices = 0;
    RowNumber number = 0;
  };
  std::map<std::pair<TrackId, std::uint32_t>, Told> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const FlowPoint each = point(i);
    if (each.track == kNoTrack) continue;
    Told& row = rows[{each.track, each.row}];
    row.slices = std::max(row.slices, each.slice + 1);
  }
  FlowPoints out;
  out.rows_.reserve(rows.size());
  for (auto& [row, told] : rows) told.number = out.add_row(row.first, row.second, told.slices);
  out.make_room(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FlowPoint each = point(i);
    if (each.track == kNoTrack) continue;
    out.bind(i, rows[{each.track, each.row}].number, each.slice);
  }
  out.set_times([&point](std::size_t i) { return point(i).own_time_ns(); });
  return out;
}

}  // namespace cinderscope
