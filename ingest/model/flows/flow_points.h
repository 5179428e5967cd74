// Flows and their points. Traces may have a point for every second call, so these are kept lean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/columns/narrow_numbers.h"
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
};

// Many points, as narrow as their times and the slices of their tracks allow: 6 to 8 bytes each in
// most traces. A slice is named by one number, counted over all rows that have points.
class FlowPoints {
 public:
  using RowNumber = std::uint32_t;

  std::size_t size() const { return place_.size(); }
  FlowPoint operator[](std::uint64_t i) const {
    FlowPoint point{.time_ns = static_cast<std::int64_t>(first_ns_ + time_[i])};
    const std::uint64_t place = place_[i];
    if (place == 0) return point;
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), place - 1,
                         [](std::uint64_t at, const Row& row) { return at < row.first_slice; });
    const Row& row = *(after - 1);
    point.track = row.track;
    point.row = row.row;
    point.slice = place - 1 - row.first_slice;
    return point;
  }
  bool is_bound(std::uint64_t i) const { return place_[i] != 0; }
  std::size_t kept_bytes() const {
    return time_.kept_bytes() + place_.kept_bytes() + rows_.capacity() * sizeof(Row);
  }

  static FlowPoints of(std::span<const FlowPoint> points);

  // -- for who makes them: all rows first, then room for all points, then each of them
  RowNumber add_row(TrackId track, std::uint32_t row, std::uint64_t slices) {
    rows_.push_back({track, row, slice_count_});
    slice_count_ += slices;
    return static_cast<RowNumber>(rows_.size() - 1);
  }
  // Bound to nothing, at times from `first_ns` to `last_ns`.
  void make_room(std::size_t count, std::int64_t first_ns, std::int64_t last_ns) {
    first_ns_ = static_cast<std::uint64_t>(first_ns);
    time_ = NarrowNumbers(count, static_cast<std::uint64_t>(last_ns) - first_ns_);
    place_ = NarrowNumbers(count, slice_count_);
  }
  void set_time(std::uint64_t i, std::int64_t time_ns) {
    time_.set(i, static_cast<std::uint64_t>(time_ns) - first_ns_);
  }
  // Each once, different ones from different threads at the same time.
  void bind(std::uint64_t i, RowNumber row, std::uint64_t slice) {
    place_.set(i, 1 + rows_[row].first_slice + slice);
  }

 private:
  struct Row {
    TrackId track = kNoTrack;
    std::uint32_t row = 0;
    std::uint64_t first_slice = 0;  // its number
  };
  std::vector<Row> rows_;
  std::uint64_t slice_count_ = 0;  // of all rows
  std::uint64_t first_ns_ = 0;
  NarrowNumbers time_;   // since first_ns_
  NarrowNumbers place_;  // 0: bound to nothing; else 1 more than the number of the slice
};

struct Flow {
  StringId name = kEmptyString;
  std::uint32_t point_count : 31 = 0;
  std::uint32_t by_bind_id : 1 = 0;
  std::uint32_t first_point = 0;  // points [first_point, first_point + point_count), by time
};
static_assert(sizeof(Flow) == 12);

struct Flows {
  std::vector<Flow> flows;  // their points follow each other
  FlowPoints points;        // at most 2^31
  NarrowNumbers by_slice;   // indices of bound points, by (track, row, slice)

  // The flow that the point belongs to.
  std::uint32_t flow_of(std::uint64_t point) const {
    const auto after =
        std::upper_bound(flows.begin(), flows.end(), point,
                         [](std::uint64_t i, const Flow& flow) { return i < flow.first_point; });
    return static_cast<std::uint32_t>(after - flows.begin() - 1);
  }
};

}  // namespace cinderscope
