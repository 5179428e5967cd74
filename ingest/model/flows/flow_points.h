// Flows and their points. Traces may have a point for every second call, so these are kept lean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

// Many points, 16 bytes each: tracks and rows are named by numbers of a table.
class FlowPoints {
 public:
  using RowNumber = std::uint32_t;
  static constexpr RowNumber kNoRow = UINT32_MAX;

  std::size_t size() const { return time_ns_.size(); }
  FlowPoint operator[](std::uint64_t i) const {
    const Place place = places_[i];
    if (place.row == kNoRow) return {kNoTrack, 0, 0, time_ns_[i]};
    const Row& row = rows_[place.row];
    return {row.track, row.row, place.slice, time_ns_[i]};
  }
  std::size_t kept_bytes() const {
    return time_ns_.capacity() * sizeof(std::int64_t) + places_.capacity() * sizeof(Place) +
           rows_.capacity() * sizeof(Row);
  }

  // -- for who makes them
  void reserve(std::size_t count) {
    time_ns_.reserve(count);
    places_.reserve(count);
  }
  RowNumber add_row(TrackId track, std::uint32_t row) {
    rows_.push_back({track, row});
    return static_cast<RowNumber>(rows_.size() - 1);
  }
  // Bound to nothing.
  void add(std::int64_t time_ns) {
    time_ns_.push_back(time_ns);
    places_.emplace_back();
  }
  // Different points from different threads at the same time. A row with more slices than 32 bits
  // count does not fit into any memory; what lies behind stays unbound.
  bool bind(std::uint64_t i, RowNumber row, std::uint64_t slice) {
    if (slice > UINT32_MAX) return false;
    places_[i] = {row, static_cast<std::uint32_t>(slice)};
    return true;
  }
  // Those of another timeline behind these; `track_of` and `time_of` say what theirs become.
  template <class TrackOf, class TimeOf>
  void append(const FlowPoints& other, TrackOf track_of, TimeOf time_of) {
    const auto first_row = static_cast<RowNumber>(rows_.size());
    for (const Row& row : other.rows_) rows_.push_back({track_of(row.track), row.row});
    for (Place place : other.places_) {
      if (place.row != kNoRow) place.row += first_row;
      places_.push_back(place);
    }
    for (const std::int64_t time_ns : other.time_ns_) time_ns_.push_back(time_of(time_ns));
  }

 private:
  struct Row {
    TrackId track = kNoTrack;
    std::uint32_t row = 0;
  };
  std::vector<Row> rows_;
  struct Place {
    RowNumber row = kNoRow;
    std::uint32_t slice = 0;
  };
  std::vector<std::int64_t> time_ns_;
  std::vector<Place> places_;
};

struct Flow {
  StringId name = kEmptyString;
  std::uint32_t point_count : 31 = 0;
  std::uint32_t by_bind_id : 1 = 0;
  std::uint64_t first_point = 0;  // points [first_point, first_point + point_count), by time
};
static_assert(sizeof(Flow) == 16);

struct Flows {
  std::vector<Flow> flows;              // their points follow each other
  FlowPoints points;                    // at most 2^31
  std::vector<std::uint32_t> by_slice;  // indices of bound points, by (track, row, slice)

  // The flow that the point belongs to.
  std::uint32_t flow_of(std::uint64_t point) const {
    const auto after =
        std::upper_bound(flows.begin(), flows.end(), point,
                         [](std::uint64_t i, const Flow& flow) { return i < flow.first_point; });
    return static_cast<std::uint32_t>(after - flows.begin() - 1);
  }
};

}  // namespace cinderscope
