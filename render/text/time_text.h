// Times, durations and counts as people read them: "1.25 ms", "3.280 000 s", "+5 ms", "98 212".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"
#include "render/base/viewport.h"

namespace cinderscope {

// A duration in at most five significant digits, for boxes and tooltips: "412 ns", "7.17 ms",
// "412.0 µs". On the axis of events the number alone, in groups of three. Any value is allowed.
std::string duration_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// A duration that is no whole number of nanoseconds (a mean, a share).
std::string duration_text(double ns, TimeAxis axis = TimeAxis::nanoseconds);

// A duration in all digits, in groups of three, at least to microseconds: "3.280 000 s", "60.000
// ms".
std::string exact_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);

// A time `ns` after the trace's begin, always in seconds, so that times are easy to compare:
// "0.000 000 s", "3.285 469 001 s". On the axis of events its number.
std::string timestamp_text(std::int64_t ns, TimeAxis axis = TimeAxis::nanoseconds);
// The time `time_ns` of the file's clock, counted from `origin_ns`, the trace's begin.
std::string timestamp_text(std::int64_t time_ns, std::int64_t origin_ns, TimeAxis axis);

// How the times of a trace are written; cheap to make in every frame and to compare.
struct TimestampFormat {
  TimeAxis axis = TimeAxis::nanoseconds;
  bool threads_apart = false;  // each thread counts its own events
  TimeShown shown = TimeShown::from_start;
  std::int64_t origin_ns = 0;  // where the trace begins
  bool operator==(const TimestampFormat&) const = default;
};
// The format that the user chose; from the start if this trace cannot be shown so.
TimestampFormat timestamp_format(const Timeline& timeline, const TimelineState& state);
// The time `time_ns` of the file's clock, for tables, facts and status: "3.285 469 s" from the
// start or in the clock, "14:03:12.345 678" of the day (behind the date on other days than the
// first).
std::string timestamp_text(std::int64_t time_ns, const TimestampFormat& format);
// A sentence that says why a trace cannot show `shown`; empty if it can.
std::string why_not_shown(const Timeline& timeline, TimeShown shown);
// True if the clock of a trace that begins at `begin_ns` counts from 1970, so tells times of day.
bool counts_from_1970(std::int64_t begin_ns);
// The next kind after `shown`, in a circle, that this trace can show.
TimeShown next_shown(const Timeline& timeline, TimeShown shown);
// "from the start of the trace", "in the file's clock", "as time of day, UTC+01:00".
std::string shown_text(const TimestampFormat& format);

// A whole number in groups of three: "98 212".
std::string count_text(std::uint64_t count);
std::string signed_count_text(std::int64_t count);

struct RulerTick {
  std::int64_t time_ns = 0;
  bool major = false;  // every second tick
  std::string label;   // relative to the base, "+5 ms"; without the plus sign if the base is zero
};

// The ticks of the ruler for one view. Steps are 1, 2 or 5 times a power of ten.
struct Ruler {
  std::int64_t origin_ns = 0;  // the trace's begin: times are shown from there
  std::int64_t base_ns = 0;    // labels count from here; a round number, so it stays while panning
  std::int64_t step_ns = 1;
  bool in_ns = false;      // all labels in nanoseconds, whatever the length of the view
  bool of_day = false;     // labels are times of day, not counted from the base
  std::string base_label;  // absolute, "3.280 s"
  std::vector<RulerTick> ticks;
};

// Fills `out` (its storage is reused) with the ticks of the view, at least `min_step_px` apart.
// Labels share one unit, picked by the length of the view; `in_ns`: always nanoseconds. All labels
// count from `origin_ns`, the trace's begin, since its clock may have begun in 1970.
void ruler_of(const Viewport& view, TimeAxis axis, double min_step_px, Ruler& out,
              std::int64_t origin_ns = 0, bool in_ns = false);

// Fills `out` for times written in `format`. Times of day have steps of whole minutes, hours, days.
void ruler_of(const Viewport& view, const TimestampFormat& format, double min_step_px, Ruler& out,
              bool in_ns = false);

// A time relative to the ruler's base, in the ruler's unit and three decimals: "+31.482 ms".
std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          TimeAxis axis);

}  // namespace cinderscope
