// Markers of a thread put together: instants and slices.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/firefox/thread_tables.h"

namespace cinderscope::firefox {

struct MarkerSlice {
  std::int64_t name = -1;
  std::int64_t begin_ns = 0, end_ns = 0;
  bool has_begin = true, has_end = true;  // else from the thread's begin, to its end
  std::string_view data, end_data;        // raw; of two markers that belong together
};

struct MarkerInstant {
  std::int64_t name = -1;
  std::int64_t time_ns = 0;
  std::string_view data;
};

struct MadeMarkers {
  std::vector<MarkerSlice> slices;
  std::vector<MarkerInstant> instants;
  std::uint64_t stray_ends = 0, without_time = 0;
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;  // of the times that count
};

// In the order of the table. `time_power` and `offset_ns`: of times that stand in the data.
MadeMarkers make_markers(const std::vector<RawMarker>& markers, int time_power,
                         std::int64_t offset_ns);

}  // namespace cinderscope::firefox
