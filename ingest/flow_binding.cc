#include "ingest/flow_binding.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace cinderscope {

namespace {

struct Found {
  std::uint32_t row = 0;
  std::uint64_t slice = 0;
  bool any = false;
};

Found enclosing(const Track& track, std::int64_t time_ns) {
  Found inside, ending;
  const auto& rows = track.root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t i = rows[row].last_begun(time_ns);
    const bool begun = i != rows[row].count();
    if (begun && rows[row].end_ns(i) > time_ns) {
      inside = {row, i, true};
    } else if (begun && rows[row].end_ns(i) == time_ns) {
      ending = {row, i, true};
    } else if (!track.has_overlaps) {
      break;  // nothing deeper can cover it
    }
  }
  return inside.any ? inside : ending;
}

Found next_begin(const Track& track, std::int64_t time_ns) {
  Found found;
  std::int64_t begin_ns = INT64_MAX;
  const auto& rows = track.root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t i = rows[row].lower_bound(time_ns);
    if (i != rows[row].count() && rows[row].begin_ns(i) < begin_ns) {
      begin_ns = rows[row].begin_ns(i);
      found = {row, i, true};
    }
    // A deeper slice that begins sooner lies in one that covers the time on this row.
    const std::uint64_t now = rows[row].last_begun(time_ns);
    const bool covered = now != rows[row].count() && rows[row].end_ns(now) > time_ns;
    if (!covered && !track.has_overlaps) break;
  }
  return found;
}

}  // namespace

void bind_flows(const std::vector<PendingFlow>& pending, Timeline& timeline) {
  Flows& flows = timeline.flows;
  std::size_t points = 0;
  for (const PendingFlow& flow : pending) points += flow.points.size();
  flows.flows.reserve(pending.size());
  flows.points.reserve(points);
  flows.point_flow.reserve(points);
  for (const PendingFlow& flow : pending) {
    const std::uint64_t first = flows.points.size();
    for (const FlowEnd& end : flow.points) {
      const TrackId id = timeline.threads[index(end.thread)].track;
      FlowPoint point{kNoTrack, 0, 0, end.time_ns};
      if (id != kNoTrack) {
        const Track& track = timeline.tracks[index(id)];
        Found found = end.binding == FlowBinding::next ? next_begin(track, end.time_ns)
                                                       : enclosing(track, end.time_ns);
        // An arrival that nothing follows belongs to what goes on around it.
        if (!found.any) found = enclosing(track, end.time_ns);
        if (found.any) point = {id, found.row, found.slice, end.time_ns};
      }
      flows.points.push_back(point);
      flows.point_flow.push_back(static_cast<std::uint32_t>(flows.flows.size()));
    }
    std::stable_sort(flows.points.begin() + static_cast<std::ptrdiff_t>(first), flows.points.end(),
                     [](const FlowPoint& a, const FlowPoint& b) { return a.time_ns < b.time_ns; });
    flows.flows.push_back(
        {flow.name, first, static_cast<std::uint32_t>(flow.points.size()), flow.by_bind_id});
    (flow.by_bind_id ? timeline.bind_flow_count : timeline.flow_count) += 1;
  }
  flows.by_slice.reserve(flows.points.size());
  for (std::uint64_t i = 0; i < flows.points.size(); ++i) {
    if (flows.points[i].track != kNoTrack) flows.by_slice.push_back(i);
  }
  std::sort(flows.by_slice.begin(), flows.by_slice.end(), [&](std::uint64_t a, std::uint64_t b) {
    const auto key = [&](std::uint64_t i) {
      const FlowPoint& p = flows.points[i];
      return std::tuple(index(p.track), p.row, p.slice, i);
    };
    return key(a) < key(b);
  });
}

}  // namespace cinderscope
