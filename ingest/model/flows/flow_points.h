// Flows and their points. Traces may have a point for every second call, so these are kept lean.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ingest/model/columns/marked_numbers.h"
#include "ingest/model/columns/mostly_narrow_numbers.h"
#include "ingest/model/columns/narrow_numbers.h"
#include "ingest/model/flows/flow_list.h"
#include "ingest/model/ids.h"

namespace cinderscope {

// Whether a point of a flow binds to the slice around it, to the next one, or to one that ends
// there.
enum class FlowBinding : std::uint8_t { enclosing, next, ending };

// One point of a flow. `row` and `slice` are a slice of block 0 of the track.
struct FlowPoint {
  TrackId track = kNoTrack;  // kNoTrack: nothing to bind to
  std::uint32_t row = 0;
  std::uint64_t slice = 0;
  std::int64_t time_ns = 0;
  std::int64_t slice_begin_ns = 0;  // 0 without a slice

  // What is kept of its time.
  std::int64_t own_time_ns() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns) -
                                     static_cast<std::uint64_t>(slice_begin_ns));
  }
};
inline SliceRef slice_of(const FlowPoint& point) {
  return {point.track, BlockId{}, point.row, point.slice};
}

// Many points, as narrow as their times and the slices of their tracks allow: 3 to 8 bytes each in
// most traces. A slice is named by one number, counted over all rows that have points. Times are
// counted from the begin of the slice, and many begin with it: flow_point() (timeline.h) adds both.
class FlowPoints {
 public:
  using RowNumber = std::uint32_t;

  std::size_t size() const { return place_.size(); }
  // Falsy where the point is bound to nothing.
  SliceRef slice(std::uint64_t i) const {
    const std::uint64_t place = place_[i];
    if (place == 0) return {};
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), place - 1,
                         [](std::uint64_t at, const Row& row) { return at < row.first_slice; });
    const Row& row = *(after - 1);
    return {row.track, BlockId{}, row.row, place - 1 - row.first_slice};
  }
  bool is_bound(std::uint64_t i) const { return place_[i] != 0; }
  // Since the begin of its slice; its time where it has none.
  std::int64_t own_time_ns(std::uint64_t i) const;
  std::size_t kept_bytes() const {
    return rows_.capacity() * sizeof(Row) + place_.kept_bytes() + with_slice_.kept_bytes() +
           unbound_.kept_bytes() + since_.kept_bytes() + time_.kept_bytes();
  }

  // `point(i)` of so many, asked several times.
  static FlowPoints of(std::size_t count, const std::function<FlowPoint(std::size_t)>& point);

  // -- for who makes them: all rows first, then room for all points, then each that is bound, and
  // the times in the end
  RowNumber add_row(TrackId track, std::uint32_t row, std::uint64_t slices) {
    rows_.push_back({track, row, slice_count_});
    slice_count_ += slices;
    return static_cast<RowNumber>(rows_.size() - 1);
  }
  // Bound to nothing.
  void make_room(std::size_t count) {
    place_ = NarrowNumbers(count, slice_count_);
    rows_.shrink_to_fit();
  }
  // Each once, different ones from different threads at the same time.
  void bind(std::uint64_t i, RowNumber row, std::uint64_t slice) {
    place_.set(i, 1 + rows_[row].first_slice + slice);
  }
  // `own_time_ns(i)` of each point.
  template <class TimeOf>
  void set_times(const TimeOf& own_time_ns);

 private:
  struct Row {
    TrackId track = kNoTrack;
    std::uint32_t row = 0;
    std::uint64_t first_slice = 0;  // its number
  };
  // Numbers from the first of some times to the last.
  struct Reach {
    std::int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    std::size_t count = 0;

    void add(std::int64_t time_ns) {
      first_ns = std::min(first_ns, time_ns);
      last_ns = std::max(last_ns, time_ns);
      ++count;
    }
    std::uint64_t base() const { return static_cast<std::uint64_t>(count == 0 ? 0 : first_ns); }
    std::uint64_t most() const {
      return count == 0 ? 0 : static_cast<std::uint64_t>(last_ns) - base();
    }
  };

  static std::uint64_t above(std::uint64_t base, std::int64_t time_ns) {
    return static_cast<std::uint64_t>(time_ns) - base;
  }

  std::vector<Row> rows_;
  std::uint64_t slice_count_ = 0;  // of all rows
  NarrowNumbers place_;            // 0: bound to nothing; else 1 more than the number of the slice
  MarkedNumbers with_slice_;       // points that begin with it: nothing more is kept of these
  MarkedNumbers unbound_;          // of the others, counted without those
  std::uint64_t since_base_ = 0, time_base_ = 0;
  MostlyNarrowNumbers
      since_;           // of the bound ones, since the begins of their slices and since_base_
  NarrowNumbers time_;  // of the unbound ones, since time_base_
};

template <class TimeOf>
void FlowPoints::set_times(const TimeOf& own_time_ns) {
  Reach since, time;
  std::size_t told = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t own_ns = own_time_ns(i);
    (is_bound(i) ? since : time).add(own_ns);
    told += is_bound(i) && own_ns == 0 ? 1 : 0;
  }
  // Marks take a bit for each point.
  if (told * static_cast<unsigned>(std::bit_width(since.most())) > size() + size() / 8) {
    with_slice_ = MarkedNumbers(size());
  } else {
    told = 0;
  }
  const bool marks = told != 0;
  MostlyNarrowNumbers::Lengths lengths{};
  for (std::size_t i = 0; i < size(); ++i) {
    if (!is_bound(i) || (marks && own_time_ns(i) == 0)) continue;
    ++lengths[MostlyNarrowNumbers::bits_of(above(since.base(), own_time_ns(i)))];
  }
  if (time.count != 0) unbound_ = MarkedNumbers(size() - told);
  since_base_ = since.base();
  time_base_ = time.base();
  since_ = MostlyNarrowNumbers(lengths);
  time_ = NarrowNumbers(time.count, time.most());
  std::size_t kept = 0, next_time = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t own_ns = own_time_ns(i);
    if (!is_bound(i)) {
      unbound_.mark(kept++);
      time_.set(next_time++, above(time_base_, own_ns));
    } else if (marks && own_ns == 0) {
      with_slice_.mark(i);
    } else {
      since_.add(above(since_base_, own_ns));
      ++kept;
    }
  }
  with_slice_.count();
  unbound_.count();
}

struct Flows {
  static constexpr std::uint32_t kMostPoints = UINT32_MAX >> 1;

  FlowList flows;          // their points follow each other
  FlowPoints points;       // at most kMostPoints
  NarrowNumbers by_slice;  // indices of bound points, by (track, row, slice)

  // Points [first, end) of a flow, by time.
  struct Range {
    std::uint64_t first = 0, end = 0;
    std::uint64_t count() const { return end - first; }
  };
  Range points_of(std::size_t flow) const {
    const std::size_t next = flow + 1;
    return {flows.first_point(flow),
            next < flows.size() ? std::uint64_t{flows.first_point(next)} : points.size()};
  }
  // The flow that the point belongs to.
  std::uint32_t flow_of(std::uint64_t point) const { return flows.flow_of(point); }
};

}  // namespace cinderscope
