#include "ingest/build/flow_binding.h"

#include <algorithm>
#include <atomic>

#include "ingest/base/parallel.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/radix_sort.h"
#include "ingest/build/row_cursor.h"

namespace cinderscope {

namespace {

// Binds the points of one track, asked by time ascending.
class TrackBinder {
 public:
  TrackBinder(const Timeline& timeline, TrackId track)
      : id_(track), track_(timeline.tracks[index(track)]) {
    // Of deep traces only so many rows are unpacked at a time.
    constexpr std::size_t kUnpackedRows = 256;
    rows_.reserve(track_.root().rows.size());
    for (const SliceRow& row : track_.root().rows) {
      rows_.emplace_back(row, rows_.size() < kUnpackedRows);
    }
    after_.resize(rows_.size(), 0);
    from_.resize(rows_.size(), 0);
  }

  FlowPoint bind(std::int64_t time_ns, FlowBinding binding) {
    FlowPoint point{.time_ns = time_ns};
    // An arrival that nothing follows belongs to what goes on around it.
    const bool found = (binding == FlowBinding::next && find_next(point)) ||
                       find_enclosing(point, binding == FlowBinding::ending);
    if (!found) return point;
    point.track = id_;
    point.slice_begin_ns = rows_[point.row].begin_ns(point.slice);
    return point;
  }

 private:
  // The last slice of the row that begins at or before the time; count() if there is none.
  std::uint64_t last_begun(std::size_t row, std::int64_t time_ns) {
    RowCursor& cursor = rows_[row];
    const std::uint64_t after =
        time_ns == INT64_MAX ? cursor.count() : cursor.first_from(time_ns + 1, after_[row]);
    return after == 0 ? cursor.count() : after - 1;
  }

  // `ending_first`: a slice that ends at the time goes before one that goes on.
  bool find_enclosing(FlowPoint& point, bool ending_first) {
    bool inside = false, ending = false;
    std::int64_t inner_begin_ns = INT64_MIN;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      RowCursor& cursor = rows_[row];
      std::uint64_t i = last_begun(row, point.time_ns);
      const bool begun = i != cursor.count();
      // One that begins where another ends has taken its place.
      if (ending_first && begun && i > 0 && cursor.begin_ns(i) == point.time_ns &&
          cursor.end_ns(i) != point.time_ns && cursor.end_ns(i - 1) == point.time_ns) {
        --i;
      }
      const std::int64_t end_ns = begun ? cursor.end_ns(i) : 0;
      if (begun && end_ns > point.time_ns) {
        // Of slices that partly overlap the later one is the inner one.
        const std::int64_t begin_ns = cursor.begin_ns(i);
        if (inside && begin_ns < inner_begin_ns) continue;
        if (ending && ending_first) continue;
        inner_begin_ns = begin_ns;
        inside = true;
        point.row = row;
        point.slice = i;
      } else if (begun && end_ns == point.time_ns) {
        ending = true;
        if (!inside || ending_first) {
          point.row = row;
          point.slice = i;
        }
      } else if (!track_.has_overlaps) {
        break;  // nothing deeper can cover it
      }
    }
    return inside || ending;
  }

  bool find_next(FlowPoint& point) {
    bool found = false;
    std::int64_t first_begin_ns = INT64_MAX;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      RowCursor& cursor = rows_[row];
      const std::uint64_t i = cursor.first_from(point.time_ns, from_[row]);
      if (i != cursor.count() && cursor.begin_ns(i) < first_begin_ns) {
        first_begin_ns = cursor.begin_ns(i);
        point.row = row;
        point.slice = i;
        found = true;
      }
      // A deeper slice that begins sooner lies in one that covers the time on this row.
      const std::uint64_t now = last_begun(row, point.time_ns);
      const bool covered = now != cursor.count() && cursor.end_ns(now) > point.time_ns;
      if (!covered && !track_.has_overlaps) break;
    }
    return found;
  }

  TrackId id_;
  const Track& track_;
  std::vector<RowCursor> rows_;
  std::vector<RowCursor::Place> after_, from_;  // by row: behind the time, and at it
};

constexpr std::uint32_t kNoRow = UINT32_MAX;

struct BoundPoint {
  std::uint32_t row;  // kNoRow: bound to nothing
  std::uint64_t slice, point;
};

// By row and slice. Points come by time, so those of a row are in order already, or nearly so.
void sort_by_slice(std::vector<BoundPoint>& points) {
  std::uint32_t last_row = 0;
  for (const BoundPoint& each : points) {
    if (each.row != kNoRow) last_row = std::max(last_row, each.row);
  }
  std::vector<std::size_t> next(std::size_t{last_row} + 3, 0);  // by row, then those on none
  const auto place = [&](const BoundPoint& each) {
    return each.row == kNoRow ? std::size_t{last_row} + 1 : each.row;
  };
  for (const BoundPoint& each : points) ++next[place(each) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<BoundPoint> sorted(points.size());
  for (const BoundPoint& each : points) sorted[next[place(each)]++] = each;
  points = std::move(sorted);
  // Each has moved on to the end of its row.
  const auto before = [](const BoundPoint& a, const BoundPoint& b) {
    return a.slice != b.slice ? a.slice < b.slice : a.point < b.point;
  };
  std::size_t begin = 0;
  for (std::size_t row = 0; row + 1 < next.size(); ++row) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(next[row]);
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
    begin = next[row];
  }
}

// Binds the points of one track and puts them in order of their slices, unbound ones last. How many
// were bound. Of these pending has the time since the begin of their slices from then on.
std::size_t bind_points(const Timeline& timeline, TrackId track, PendingFlows& pending,
                        std::span<std::uint32_t> points, FlowPoints::RowNumber first_row,
                        Flows& flows) {
  if (points.empty()) return 0;
  // What is compared lies beside each other: looking it up elsewhere costs more than the sort.
  struct Timed {
    std::int64_t time_ns;
    std::uint64_t point_and_binding;
  };
  constexpr unsigned kBindingBits = 2;
  std::vector<Timed> timed;
  timed.reserve(points.size());
  for (const std::uint64_t i : points) {
    timed.push_back(
        {pending.time_ns[i], i << kBindingBits | static_cast<std::uint64_t>(pending.binding[i])});
  }
  // Those of one time stay in the order of their flows.
  radix_sort(timed, [](const Timed& each) { return ordered_bits(each.time_ns); });
  std::vector<BoundPoint> bound;
  bound.reserve(points.size());
  TrackBinder binder(timeline, track);
  std::size_t bound_count = 0;
  for (const Timed& at : timed) {
    const std::uint64_t i = at.point_and_binding >> kBindingBits;
    const auto binding =
        static_cast<FlowBinding>(at.point_and_binding & ((1u << kBindingBits) - 1));
    const FlowPoint point = binder.bind(at.time_ns, binding);
    const bool is_bound = point.track != kNoTrack;
    if (is_bound) flows.points.bind(i, first_row + point.row, point.slice);
    if (is_bound) pending.time_ns[i] = point.own_time_ns();
    bound_count += is_bound ? 1 : 0;
    bound.push_back({is_bound ? point.row : kNoRow, point.slice, i});
  }
  release(timed);
  sort_by_slice(bound);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    points[i] = static_cast<std::uint32_t>(bound[i].point);
  }
  return bound_count;
}

// Sorts the points of each flow by time.
void sort_points(PendingFlows& pending) {
  struct Point {
    std::int64_t time_ns;
    FlowOwner owner;
    FlowBinding binding;
  };
  std::vector<Point> points;
  std::size_t first = 0;
  for (const PendingFlows::Head& head : pending.heads) {
    const std::size_t last = first + head.point_count;
    const auto times = pending.time_ns.begin();
    if (!std::is_sorted(times + static_cast<std::ptrdiff_t>(first),
                        times + static_cast<std::ptrdiff_t>(last))) {
      points.clear();
      for (std::size_t i = first; i < last; ++i) {
        points.push_back({pending.time_ns[i], pending.owner[i], pending.binding[i]});
      }
      std::stable_sort(points.begin(), points.end(),
                       [](const Point& a, const Point& b) { return a.time_ns < b.time_ns; });
      for (std::size_t i = first; i < last; ++i) {
        const Point& point = points[i - first];
        pending.time_ns[i] = point.time_ns;
        pending.owner[i] = point.owner;
        pending.binding[i] = point.binding;
      }
    }
    first = last;
  }
}

}  // namespace

void PendingFlows::add(StringId name, bool by_bind_id, std::span<const FlowEnd> points) {
  if (points.size() > Flows::kMostPoints - time_ns.size())
    return;  // they take more than any memory
  heads.push_back({name, static_cast<std::uint32_t>(points.size()), by_bind_id});
  for (const FlowEnd& point : points) {
    time_ns.push_back(point.time_ns);
    owner.push_back(point.owner);
    binding.push_back(point.binding);
  }
}

void bind_flows(PendingFlows pending, std::span<const TrackId> async_tracks, unsigned jobs,
                Timeline& timeline) {
  sort_points(pending);
  const std::size_t point_count = pending.time_ns.size();
  const auto made = std::make_shared<Flows>();
  Flows& flows = *made;
  std::vector<Flow> list;
  list.reserve(pending.heads.size());
  std::uint32_t first_point = 0;
  for (const PendingFlows::Head& head : pending.heads) {
    list.push_back({head.name, first_point, head.by_bind_id});
    first_point += head.point_count;
    (head.by_bind_id ? timeline.bind_flow_count : timeline.flow_count) += 1;
  }
  release(pending.heads);
  flows.flows = FlowList(list);
  release(list);

  // by_slice gets the points of each track one behind the other, in order of the flows.
  const auto track_of = [&](std::size_t i) {
    const FlowOwner owner = pending.owner[i];
    if (owner.is_none()) return kNoTrack;
    return owner.is_async() ? async_tracks[owner.number()] : timeline.threads[owner.number()].track;
  };
  // Rows of tracks with points are numbered one behind the other, before anything is bound.
  std::vector<FlowPoints::RowNumber> first_row(timeline.tracks.size(), 0);
  std::vector<std::size_t> end_of_track(timeline.tracks.size(), 0);
  std::size_t with_track = 0;
  for (std::size_t i = 0; i < point_count; ++i) {
    if (track_of(i) == kNoTrack) continue;
    ++end_of_track[index(track_of(i))];
    ++with_track;
  }
  std::size_t next_begin = 0;
  for (std::size_t track = 0; track < end_of_track.size(); ++track) {
    const std::size_t count = end_of_track[track];
    end_of_track[track] = next_begin;  // moves on as the points come
    next_begin += count;
    if (count == 0) continue;
    const TrackId id{static_cast<std::uint32_t>(track)};
    const std::vector<SliceRow>& rows = timeline.tracks[track].root().rows;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      const FlowPoints::RowNumber number = flows.points.add_row(id, row, rows[row].count());
      if (row == 0) first_row[track] = number;
    }
  }
  std::vector<std::uint32_t> by_slice(with_track);
  flows.points.make_room(point_count);
  for (std::size_t i = 0; i < point_count; ++i) {
    if (track_of(i) == kNoTrack) continue;
    by_slice[end_of_track[index(track_of(i))]++] = static_cast<std::uint32_t>(i);
  }

  std::atomic<std::size_t> bound_count{0};
  parallel_for(timeline.tracks.size(), jobs, [&](std::size_t track) {
    const std::size_t begin = track == 0 ? 0 : end_of_track[track - 1];
    const std::span<std::uint32_t> points =
        std::span(by_slice).subspan(begin, end_of_track[track] - begin);
    bound_count += bind_points(timeline, TrackId{static_cast<std::uint32_t>(track)}, pending,
                               points, first_row[track], flows);
  });
  if (bound_count != with_track) {
    std::erase_if(by_slice, [&](std::uint32_t i) { return !flows.points.is_bound(i); });
  }
  flows.points.set_times([&pending](std::size_t i) { return pending.time_ns[i]; });
  flows.by_slice = NarrowNumbers(by_slice, point_count);
  timeline.flows = made;
}

}  // namespace cinderscope
