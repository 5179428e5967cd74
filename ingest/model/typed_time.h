// Times as people type them: one parser for the command line, commands, merge offsets and scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

//   1500  12.5ms  3s  1h2m    as in the file; ns us µs ms s min h (m is min)
//   +12.5ms  end-2s           from the trace's begin; before its end
//   09:30:01.25               of the trace's first day
//   mark:NOTE                 a bookmark's
//   now                       the selected slice's begin
struct TypedTime {
  enum class From : std::uint8_t { zero, begin, end, midnight, mark, selection };
  From from = From::zero;
  std::int64_t ns = 0;    // to add to where it counts from; events where the axis counts those
  bool has_unit = false;  // a time, not a number of events
  std::string note;       // of a mark
  std::string text;       // as it was typed, for messages
};

// An Error says what is expected; nothing is known of a trace yet.
Result<TypedTime> typed_time(std::string_view text);

// A length of time, "12.5ms": no sign, no clock, no mark.
Result<std::int64_t> typed_duration(std::string_view text);

// A time that does not depend on the trace, for what decides how it is loaded.
Result<std::int64_t> absolute_time(std::string_view text);

struct MarkedTime {
  std::string note;
  std::int64_t time_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;  // of its view
};

// What times can refer to.
struct TimeContext {
  TimeAxis axis = TimeAxis::nanoseconds;
  std::int64_t begin_ns = 0, end_ns = 0;  // of the trace
  std::int64_t margin_ns = 0;             // how far beyond the trace a time may lie
  bool in_window = false;                 // there may be bookmarks and a selection
  std::vector<MarkedTime> marks;
  std::optional<std::int64_t> selected_ns;
};
TimeContext time_context(const Timeline& timeline);

// An Error where the trace has no such time; for one outside of it with its range, and the form
// with "+" where that would fit.
Result<std::int64_t> time_in(const TimeContext& context, const TypedTime& time);

struct TypedRange {
  std::int64_t begin_ns = 0, end_ns = 0;
};
// What is not given is the limit of the integers. Both ends the same mark: its view.
Result<TypedRange> range_in(const TimeContext& context, const std::optional<TypedTime>& from,
                            const std::optional<TypedTime>& to);

// As typed beside a ruler that counts from the trace's begin: there a number without sign counts
// so.
TypedTime from_begin(TypedTime time);

}  // namespace cinderscope
