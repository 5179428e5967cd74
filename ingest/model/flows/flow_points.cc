#include "ingest/model/flows/flow_points.h"

#include <map>
#include <utility>

namespace cinderscope {

FlowPoints FlowPoints::of(std::span<const FlowPoint> points) {
  struct Told {
    std::uint64_t slices = 0;
    RowNumber number = 0;
  };
  std::map<std::pair<TrackId, std::uint32_t>, Told> rows;
  std::int64_t first_ns = points.empty() ? 0 : INT64_MAX, last_ns = points.empty() ? 0 : INT64_MIN;
  for (const FlowPoint& point : points) {
    first_ns = std::min(first_ns, point.time_ns);
    last_ns = std::max(last_ns, point.time_ns);
    if (point.track == kNoTrack) continue;
    Told& row = rows[{point.track, point.row}];
    row.slices = std::max(row.slices, point.slice + 1);
  }
  FlowPoints out;
  out.rows_.reserve(rows.size());
  for (auto& [row, told] : rows) told.number = out.add_row(row.first, row.second, told.slices);
  out.make_room(points.size(), first_ns, last_ns);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const FlowPoint& point = points[i];
    out.set_time(i, point.time_ns);
    if (point.track == kNoTrack) continue;
    out.bind(i, rows[{point.track, point.row}].number, point.slice);
  }
  return out;
}

}  // namespace cinderscope
