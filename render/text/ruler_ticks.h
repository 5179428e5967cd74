// The ticks of the ruler for one view, and their labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/base/viewport.h"
#include "render/text/time_text.h"

namespace cinderscope {

struct RulerTick {
  std::int64_t time_ns = 0;
  bool major = false;  // every second tick
  std::string label;   // relative to the base, "+5 ms"; without the plus sign if the base is zero
};

// Steps are 1, 2 or 5 times a power of ten; from a second on, where times are written in minutes or
// as time of day, those of a clock: 15 s, 10 min, 6 h.
struct Ruler {
  enum class Labels : std::uint8_t {
    decimal,  // "+5 ms"
    minutes,  // "1 h 10 min"
    of_day,   // "12:03:04.5"
  };
  std::int64_t origin_ns = 0;  // the trace's begin, where times are shown from there
  std::int64_t base_ns = 0;    // labels count from here; a round number, so it stays while panning
  std::int64_t step_ns = 1;
  bool in_ns = false;  // decimal labels in nanoseconds, whatever the length of the view
  Labels labels = Labels::decimal;
  std::string base_note;   // what else there is to say of it; mostly empty
  std::string base_label;  // absolute, "3.280 s"; of labels of the day the date and zone
  std::vector<RulerTick> ticks;
};

// Fills `out` (its storage is reused) with the ticks of the view, at least `min_step_px` apart.
// Decimal labels share one unit, picked by the length of the view; `in_ns`: always nanoseconds.
void ruler_of(const Viewport& view, const TimestampFormat& format, double min_step_px, Ruler& out,
              bool in_ns = false);

// What the ruler's head shows, and what a click on it does.
std::string ruler_head_help(const Timeline& timeline, const Ruler& ruler,
                            const TimestampFormat& format);

// The time under the pointer as the ruler writes it, in the ruler's unit and three decimals:
// "+31.482 ms".
std::string relative_text(const Ruler& ruler, const Viewport& view, std::int64_t time_ns,
                          const TimestampFormat& format);

}  // namespace cinderscope
