// Times, durations and counts as people read them: "1.25 ms", "3.280 000 s", "+5 ms", "98 212".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"
#include "render/base/viewport.h"

namespace cinderscope {

// At most five significant digits, for boxes and tooltips: "412 ns", "7.17 ms", "412.0 µs". On the
// axis of events the number alone with thin groups. Any value, negative ones with a minus sign.
std::string duration_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// The same for a value that is no whole number of nanoseconds (means, shares).
std::string duration_text(double ns, TimeAxis axis = TimeAxis::nanoseconds);

// All digits, in groups of three, at least down to microseconds: "3.280 000 s", "60.000 ms".
std::string exact_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// A place on the axis, `ns` after the trace's begin: always in seconds, so that places compare:
// "0.000 000 s", "3.285 469 001 s". Events are numbers.
std::string place_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);
// The same for a time in the file's clock, in a trace that begins at `origin_ns`.
std::string place_text(std::int64_t time_ns, std::int64_t origin_ns, TimeAxis axis);

// How the places of one trace are written; cheap to make in every frame and to compare.
struct TimestampFormat {
  TimeAxis axis = TimeAxis::nanoseconds;
  bool threads_apart = false;  // each thread counts its own events
  TimeShown shown = TimeShown::from_start;
  std::int64_t origin_ns = 0;  // where the trace begins
  bool operator==(const TimestampFormat&) const = default;
};
// What the user chose, or from the start where this trace has no such time.
TimestampFormat place_format(const Timeline& timeline, const TimelineState& state);
// A place on the axis, `time_ns` in the file's clock, for tables, facts and status:
// "3.285 469 s" from the start or in the clock, "14:03:12.345 678" of the day (with the date before
// it on other days than the first).
std::string place_text(std::int64_t time_ns, const TimestampFormat& format);
// Why a trace cannot show `shown`, for people; empty if it can.
std::string why_not_shown(const Timeline& timeline, TimeShown shown);
// Whether a trace that begins there counts from 1970, so that it tells the time of day.
bool counts_from_1970(std::int64_t begin_ns);
// The kind after `shown` that this trace can show, round and round.
TimeShown next_shown(const Timeline& timeline, TimeShown shown);
// "from the start of the trace", "in the file's clock", "as time of day, UTC+01:00".
std::string shown_text(const TimestampFormat& format);

// A whole number in groups of three: "98 212".
std::string count_text(std::uint64_t count);
std::string signed_count_text(std::int64_t count);

// Up to five significant digits of a counter's value: "0.0125", "12 345", "1.25e9".
std::string number_text(double value);

struct RulerTick {
  std::int64_t time_ns = 0;
  bool major = false;  // every second one: stands out
  std::string label;   // relative to the base, "+5 ms"; without the plus sign if the base is zero
};

// What stands on the ruler for one view. Steps are 1, 2 or 5 times a power of ten.
struct Ruler {
  std::int64_t origin_ns = 0;  // where the trace begins: all that is shown counts from there
  std::int64_t base_ns = 0;    // labels count from here; a round number, so it stays while panning
  std::int64_t step_ns = 1;
  bool in_ns = false;      // all labels in nanoseconds, whatever the length of the view
  bool of_day = false;     // labels are times of the day as they stand, not counted from the base
  std::string base_label;  // absolute, "3.280 s"
  std::vector<RulerTick> ticks;
};

// Fills `out` (whose storage is used again) with ticks at least `min_step_px` apart that lie in the
// view. Labels share one unit, which the length of the view picks.
// Everything counts from `origin_ns`, the begin of the trace: its clock may have begun in 1970.
// `in_ns` asks for nanoseconds whatever the length: some files want it, some users, too.
void ruler_of(const Viewport& view, TimeAxis axis, double min_step_px, Ruler& out,
              std::int64_t origin_ns = 0, bool in_ns = false);

// The same for places as they are shown. Times of day have steps of whole minutes, hours and days.
void ruler_of(const Viewport& view, const TimestampFormat& format, double min_step_px, Ruler& out,
              bool in_ns = false);

// A time relative to the ruler's base, in the ruler's unit and three decimals: "+31.482 ms".
std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          TimeAxis axis);

}  // namespace cinderscope
