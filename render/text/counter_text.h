// Values of counters as texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/model/timeline.h"

namespace cinderscope {

// All digits in groups, and the unit: "1 780 123 648 bytes", "0.125".
std::string counter_text(double value, std::string_view unit = {});
// At most five digits: "1.7801 G", "12 345", "1.78 GB".
std::string short_counter_text(double value, std::string_view unit = {});

// The unit that a counter's name ends in, as writers of traces without a field for it put it there:
// "Heap [MB]", "used_bytes", "load (%)". Empty if there is none. Part of `name`.
std::string_view unit_in(std::string_view name);
// The unit of one of the track's series: in its own name or else in the track's.
std::string_view unit_of(const Timeline& timeline, const Track& track, const CounterSeries& series);

// What a series is called beside its track's name: empty where the track has but one, and its name
// says nothing ("value") or is its unit.
std::string_view series_label(const Timeline& timeline, const Track& track,
                              const CounterSeries& series);

// The values of all series at the cursor, or the last values without one: "12.5", "used 3  free 7".
std::string counter_value_text(const Timeline& timeline, const Track& track,
                               std::optional<std::int64_t> cursor_ns);

}  // namespace cinderscope
