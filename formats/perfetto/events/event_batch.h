// What the packets of a stretch of the file say, in the order of the file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/model/ids.h"

namespace cinderscope::perfetto {

enum class EventKind : std::uint8_t {
  begin,
  end,
  complete,
  unfinished,  // complete, but without a duration
  instant,
  step,
  state,  // kNoName ends it
};

// Of a thread's lane.
struct SliceEvent {
  std::int64_t time_ns = 0, duration_ns = 0;
  RecordOffset record = 0;
  std::uint32_t lane = 0;
  StringId name = kEmptyString;  // kNoName: an end without one
  EventKind kind = EventKind::begin;
  bool has_args = false;  // of an end
};
// Of any other lane.
struct AsyncEvent {
  std::int64_t time_ns = 0, duration_ns = 0;
  RecordOffset record = 0;
  std::uint32_t lane = 0;
  StringId name = kEmptyString;
  EventKind kind = EventKind::begin;
  bool has_args = false;
};
struct CounterEvent {
  std::int64_t time_ns = 0;
  RecordOffset record = 0;
  double value = 0;
  std::uint32_t lane = 0;
};

// Half of all events may have one, and all are kept until the end: 32 bytes each.
struct FlowEvent {
  enum class Kind : std::uint8_t { ids, legacy, bound };
  enum class At : std::uint8_t { begin, end, instant, enclosing, next };
  static constexpr RecordOffset kRecordMask = (RecordOffset{1} << 56) - 1;

  std::int64_t time_ns = 0;
  std::uint64_t id = 0;  // of `legacy` the lane of its key
  RecordOffset record : 56 = 0;
  RecordOffset starts : 1 = 0;
  RecordOffset ends : 1 = 0;  // of `ids` "terminating"
  Kind kind : 2 = Kind::ids;
  At at : 3 = At::begin;
  std::uint32_t lane = 0;  // that the event lies on
  StringId name = kEmptyString;
};

// A legacy P event: a piece of a CPU profile as JSON.
struct ProfilePiece {
  RecordOffset record = 0;
  std::uint32_t thread = 0;  // entry
  std::int64_t time_ns = 0;
  std::int64_t monotonic_add_ns = 0;  // to its own times
  std::uint64_t id = 0;
  std::string data;
  StringId name = kEmptyString;
};
struct StackSample {
  std::int64_t time_ns = 0;
  RecordOffset record = 0;
  std::uint32_t thread = 0;  // entry
  std::uint32_t stack = 0;   // in EventBatch::stacks
};
// On a CPU: who runs from now on, or who was made ready to run there.
struct SchedEvent {
  std::int64_t time_ns = 0;
  RecordOffset record = 0;
  std::uint32_t cpu = 0;
  std::int64_t tid = 0;
  StringId comm = kEmptyString;
};

struct EventBatch {
  // Of threads' lanes; those of thread entry t are in list t % size, so that as many can feed them.
  std::vector<std::vector<SliceEvent>> slices;
  std::vector<std::uint32_t> lanes_with_slices;  // of threads, those that were not told before
  std::vector<AsyncEvent> async;
  std::vector<CounterEvent> counters;
  std::vector<FlowEvent> flows;
  std::vector<ProfilePiece> profiles;
  std::vector<StackSample> samples;
  // Of functions, outermost first; they stay.
  std::vector<const std::vector<StringId>*> stacks;
  std::vector<SchedEvent> switches, wakings;
  std::map<std::string, std::string> notes;
  std::array<std::uint64_t, 256> phase_counts{};
  std::int64_t end_ns = INT64_MIN;  // the latest time of slices and of asynchronous events
  std::uint64_t packet_count = 0, needed_state = 0;
  std::uint64_t cpu_time_samples = 0, async_steps = 0, other_ftrace = 0;
  Diagnostics diagnostics;
};

}  // namespace cinderscope::perfetto
