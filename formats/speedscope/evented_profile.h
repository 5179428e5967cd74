// A profile of events: frames that open and close.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/speedscope/frame_numbers.h"
#include "ingest/base/diagnostics.h"
#include "ingest/base/json/json_walk.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/ids.h"

namespace cinderscope::speedscope {

struct EventList {
  struct Event {
    std::int64_t at = 0;
    std::uint32_t frame = 0;  // its number
    bool opens = false;
  };
  std::vector<Event> events;
  std::int64_t end = INT64_MIN;  // as the file says
  bool cut = false;
};

// Takes the next event of a list; what is none is counted.
// `list_at`: where the list lies in the input.
void read_event(json::JsonWalk& walk, std::int64_t list_at, int power, FrameNumbers& numbers,
                EventList& out, Diagnostics& diagnostics);

// A slice for each pair, by the order of times. What is closed below others ends these as well.
// `open_count`: by frame, 0 before and after; thousands of profiles share thousands of frames.
void write_events(EventList& list, std::span<const StringId> names, TrackWriter& out,
                  std::vector<std::uint32_t>& open_count, Diagnostics& diagnostics);

}  // namespace cinderscope::speedscope
