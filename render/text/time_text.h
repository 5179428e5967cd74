// Times, durations and counts as people read them: "1.25 ms", "3.280 000 s", "+5 ms", "98 212".
#pragma once

#include <cstdint>
#include <string>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// A duration in at most five significant digits, for boxes and tooltips: "412 ns", "7.17 ms",
// "412.0 µs", "1 min 15.2 s", "1 h 02 min". On the axis of events the number alone, in groups of
// three. Any value is allowed.
std::string duration_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// A duration that is no whole number of nanoseconds (a mean, a share).
std::string duration_text(double ns, TimeAxis axis = TimeAxis::nanoseconds);

// A duration of a column whose longest is `longest_ns`: all in one unit, with three decimals or
// more: "12.500 ms", "0.000 412 ms"; from a minute on as above.
std::string duration_text(std::int64_t ns, std::int64_t longest_ns, TimeAxis axis);

// A duration in all digits, in groups of three, at least to microseconds: "3.280 000 s", "60.000
// ms", "1 h 02 min 05.250 s".
std::string exact_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// Both where nothing else says what is counted: "120 events" on the axis of events.
std::string length_text(std::int64_t ns, TimeAxis axis);
std::string exact_length_text(std::int64_t ns, TimeAxis axis);

// The unit that all times of a trace share, so that they compare: by its length.
enum class ShownUnit : std::uint8_t {
  nanoseconds,
  microseconds,
  milliseconds,
  seconds,
  minutes,  // "1 h 02 min 05.250 s"
};
ShownUnit unit_of(const Timeline& timeline, TimeShown shown);

// How the times of a trace are written; cheap to make in every frame and to compare.
struct TimestampFormat {
  TimeAxis axis = TimeAxis::nanoseconds;
  bool threads_apart = false;  // each thread counts its own events
  TimeShown shown = TimeShown::from_start;
  ShownUnit unit = ShownUnit::seconds;
  std::int64_t origin_ns = 0;  // where the trace begins
  bool all_digits = false;     // down to the nanosecond even where these are zero
  bool lined_up = false;       // of a comparison's lane: `origin_ns` is where both line up
  bool operator==(const TimestampFormat&) const = default;
};
// The format that the user chose; from the start if this trace cannot be shown so.
TimestampFormat timestamp_format(const Timeline& timeline, const TimelineState& state);
// The time `time_ns` of the file's clock, for tables, facts and status: "3.285 469 s" from the
// start or in the clock, "14:03:12.345 678" of the day (behind the date on other days than the
// first). On the axis of events its number from the start.
std::string timestamp_text(std::int64_t time_ns, const TimestampFormat& format);
// The same where nothing else says from where it counts: "at 3.285 469 s from start".
std::string place_text(std::int64_t time_ns, const TimestampFormat& format);
// A sentence that says why a trace cannot show `shown`; empty if it can.
std::string why_not_shown(const Timeline& timeline, TimeShown shown);
// The next kind after `shown`, in a circle, that this trace can show.
TimeShown next_shown(const Timeline& timeline, TimeShown shown);
// "from the start of the trace", "in the file's clock", "as time of day, 2026-11-21, UTC+01:00".
std::string shown_text(const TimestampFormat& format);

// A whole number in groups of three: "98 212".
std::string count_text(std::uint64_t count);
std::string signed_count_text(std::int64_t count);

// Up to five significant digits of a counter's value: "0.0125", "12 345", "1.25e9".
std::string number_text(double value);

}  // namespace cinderscope
