// What the selected counter did: its values at a time and over the view or the selected range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/totals/counter_sums.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

struct SeriesFacts {
  std::string name;  // may be empty
  std::string_view unit;
  std::uint32_t hash = 0;       // picks its colour
  std::optional<double> value;  // at the time; none before the first one
  CounterMeasure measure;
};

struct CounterFacts {
  std::string name;
  std::uint32_t name_hash = 0;
  std::int64_t time_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;  // what is measured
  bool of_range = false;                  // the selected range, not the view
  std::vector<SeriesFacts> series;
};

// Keeps sums of the counter that it was asked for last.
class CounterFactsMaker {
 public:
  // Nothing without a selected counter. `version` changes with the timeline. UI thread.
  std::optional<CounterFacts> facts(const Timeline& timeline, const TimelineState& state,
                                    std::uint64_t version);

 private:
  TrackId track_ = kNoTrack;
  std::uint64_t version_ = 0;
  const Track* of_ = nullptr;
  std::vector<CounterSums> sums_;
};

}  // namespace cinderscope
