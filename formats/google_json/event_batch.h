// What the events of one window say, as columns and tables of the window's own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/google_json/text/growing_text.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/diagnostics.h"
#include "ingest/base/saturating.h"
#include "ingest/model/ids.h"

namespace cinderscope::google_json {

inline constexpr std::uint32_t kNone = 0xffffffffu;  // no name

// Phases of instants in a SliceEvent: whose they are.
inline constexpr char kThreadInstant = 'I', kProcessInstant = 'P', kGlobalInstant = 'G';

// B, E, X or an instant. Times are absolute nanoseconds; names and threads index the batch's
// tables.
struct SliceEvent {
  std::int64_t begin_ns = 0;
  std::int64_t duration_ns = 0;  // of X; never negative
  RecordOffset record = 0;       // offset of its `{`
  std::uint32_t name = kNone;
  std::uint32_t thread = 0;
  char phase = 0;
  bool unfinished = false;  // X without dur
  bool has_args = false;    // not missing and not {}
  std::uint8_t flags = 0;   // kCutBegin, kCutEnd
  bool lasts = false;       // a B that tells in `duration_ns` how long it went on without an end
};

// An event that belongs to others of equal key: async (b n e S T p F), of an object (N O D), a
// point of a flow (s t f), or a slice that takes part in a flow by its bind_id.
struct KeyedEvent {
  std::int64_t time_ns = 0;
  RecordOffset record = 0;
  std::uint32_t key_begin = 0, key_end = 0;  // in the batch's `keys`
  std::uint32_t key_hash = 0;                // hash_bytes() of it
  std::uint32_t name = kNone;
  std::uint32_t step = kNone;  // of T and p: what their args call them
  std::uint32_t thread = 0;
  char phase = 0;                     // B, E or X: bound by bind_id
  bool has_args = false;              // of an end
  bool to_next_slice = false;         // of a flow's point, see FlowBinding
  bool starts = false, ends = false;  // of a flow's point
};

// What an async slice was of which only a part was written; by its begin.
struct CutAsync {
  RecordOffset record = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
};

// A counter's values at one time: the next `value_count` of the batch.
struct CounterEvent {
  std::int64_t time_ns = 0;
  std::uint32_t name = kNone;
  std::uint32_t thread = 0;
  std::uint32_t id_begin = 0, id_end = 0;  // in the batch's `keys`, where it has an id
  bool has_id = false;
  std::uint64_t value_count = 0;
};
struct CounterValue {
  double value = 0;
  std::uint32_t series = kNone;  // its name
};

// What is rare, or whose text is needed as a whole: metadata, samples. Raw values, read later.
struct SideEvent {
  std::int64_t time_ns = 0;  // 0 for M
  RecordOffset record = 0;
  std::uint32_t name = kNone;
  std::uint32_t thread = 0;
  char phase = 0;
  TextRange id, id2, scope, args, stack_frame;
};

struct LocalThread {
  std::string pid, tid;  // as text, "-" where the event gives none
};

struct LocalName {
  TextRange text;  // as written, without quotes
  bool escaped = false;
};

// Times of events that follow one another in the file, with nothing damaged between them.
struct TimeSpan {
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;  // of begins; so while there is none
  bool empty() const { return begin_ns > end_ns; }
  void add(const TimeSpan& more) {
    begin_ns = std::min(begin_ns, more.begin_ns);
    end_ns = std::max(end_ns, more.end_ns);
  }
};

// Why a window's walk ended at `EventBatch::end`.
enum class WindowEnd : std::uint8_t {
  border,     // at an element that begins at or behind the window's limit
  array_end,  // behind the closing bracket
  input_end,
  no_memory,
};

// How the file counts time.
struct EventClock {
  std::int64_t begin = 0;   // to be added to all times
  bool are_events = false;  // a microsecond is an event

  bool is_usual() const { return begin == 0 && !are_events; }
  std::int64_t duration(std::int64_t ns) const { return are_events ? ns / 1000 : ns; }
  std::int64_t time(std::int64_t ns) const {
    return std::clamp(saturating_sum(duration(ns), begin), -kMaxTimeNs, kMaxTimeNs);
  }
};

struct EventBatch {
  std::uint64_t begin = 0, end = 0;
  WindowEnd stop = WindowEnd::border;
  std::vector<SliceEvent> slices;
  std::vector<KeyedEvent> keyed;
  std::vector<CutAsync> cut_async;
  std::vector<CounterEvent> counters;
  std::vector<CounterValue> values;
  std::vector<SideEvent> side;
  std::string keys;
  std::vector<LocalThread> threads;
  std::vector<LocalName> names;
  std::array<std::uint64_t, 256> phase_counts{};
  std::uint64_t element_count = 0;
  std::uint64_t phased_count = 0;   // elements that have a phase: the file is a trace
  int decimals = 0;                 // most that a ts or dur has
  std::int64_t end_ns = INT64_MIN;  // largest time
  // Parted where something damaged was skipped; the first and the last may be empty.
  std::vector<TimeSpan> spans = {{}};
  Diagnostics diagnostics;

  // Something that was recorded cannot be read, between the events before and those that follow.
  void count_damage(const DiagnosticKind& kind, std::int64_t offset);
  // Times as `clock` says, where they were those of the file.
  void move_times(const EventClock& clock);
  // Empty again, as new; its tables keep their memory.
  void clear();
};

}  // namespace cinderscope::google_json
