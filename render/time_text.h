// Times, durations and counts as people read them: "1.25 ms", "3.280 000 s", "+5 ms", "98 212".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/timeline.h"
#include "render/viewport.h"

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
  std::string base_label;  // absolute, "3.280 s"
  std::vector<RulerTick> ticks;
};

// Fills `out` (whose storage is used again) with ticks at least `min_step_px` apart that lie in the
// view. Labels share one unit, which the length of the view picks.
// Everything counts from `origin_ns`, the begin of the trace: its clock may have begun in 1970.
// `in_ns` asks for nanoseconds whatever the length: some files want it, some users, too.
void ruler_of(const Viewport& view, TimeAxis axis, double min_step_px, Ruler& out,
              std::int64_t origin_ns = 0, bool in_ns = false);

// A time relative to the ruler's base, in the ruler's unit and three decimals: "+31.482 ms".
std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          TimeAxis axis);

}  // namespace cinderscope
