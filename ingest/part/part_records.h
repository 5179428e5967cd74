// What is written of a trace, as plain records: what PartReader hands out and TraceWriters take.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Views stay as long as the reader. Texts may be any bytes; pid and tid "-" where the trace has
// none.

struct PartProcess {
  std::string_view pid, name, labels;  // name, labels: may be empty
  double sort_index = 0;
  ProcessId id{};  // in the timeline
};

// A track of which something is written: a thread, or what is no thread's own.
struct PartTrack {
  TrackKind kind = TrackKind::thread;
  std::size_t process = 0;      // in PartReader::processes()
  std::string_view tid, name;   // of its thread, if it has one: name may be empty
  double sort_index = 0;        // of the thread
  std::string_view track_name;  // of all but threads
  bool has_thread = false;      // it is a thread's, or of samples or calls of a known one
  bool global = false;          // marks of all processes
  bool has_overlaps = false;
  bool has_slices = false, has_instants = false;  // in the timeline; of it all, not of the range
  TrackId id = kNoTrack;                          // in the timeline
};

// A stretch of a track that is read apart from the rest: what begins in [from_ns, to_ns).
struct PartPiece {
  const PartTrack* track = nullptr;
  std::int64_t from_ns = INT64_MIN, to_ns = INT64_MAX;
  std::uint64_t slices = 0;        // of the timeline, before some are left out
  bool can_be_apart = false;       // else it is a whole track, to be read by read(track)
  std::uint64_t first_number = 0;  // of its first slice on the track, from 0
  bool is_first() const { return from_ns == INT64_MIN; }
  bool is_last() const { return to_ns == INT64_MAX; }
};

// Times are as they are to be written: cut to the range, and from its begin with `zero`.
struct PartSlice {
  std::int64_t begin_ns = 0, end_ns = 0;
  // The end, but not behind that of the slices around it on the same overlap row: may be less than
  // end_ns by the last decimal of the file. Begins and ends by this one always nest.
  std::int64_t nested_end_ns = 0;
  std::uint32_t depth = 0;        // how many written slices contain it
  std::uint32_t overlap_row = 0;  // slices of one row nest; higher: where it partly overlaps others
  StringId name_id = kEmptyString;  // equal ids, equal names; not the other way round
  std::string_view name;
  bool unfinished = false;  // no end was recorded
  // Cut in this part, or in one that it was taken from: where it was before.
  bool cut_begin = false, cut_end = false;
  std::int64_t whole_begin_ns = 0, whole_end_ns = 0;  // not moved by `zero`
  RecordOffset record = kNoRecord, end_record = kNoRecord;
  // Slices of one group may lie in each other (async tracks); 0 elsewhere. Counted from 1.
  std::uint64_t group = 0;
  // Of PartVisitor::open(): how many slices of the track come before it.
  std::uint64_t number = 0;
  bool is_cut() const { return cut_begin || cut_end; }
};

// An instant of a thread or a track of marks; a step of an async track; what was seen of a
// lifetime.
struct PartInstant {
  std::int64_t time_ns = 0;
  StringId name_id = kEmptyString;
  std::string_view name;
  RecordOffset record = kNoRecord;
  std::uint64_t group = 0;  // as of slices; 0: not known
};

// The values of a counter at one time.
struct PartCounter {
  struct Value {
    std::string_view series;  // "" where it has one without a name
    double value = 0;
  };
  std::int64_t time_ns = 0;
  std::span<const Value> values;
};

// A point of a flow, between the slices of its track.
struct PartFlowPoint {
  enum class Place : std::uint8_t { start, step, end };
  std::int64_t time_ns = 0;
  std::uint64_t flow = 0;  // from 1
  std::string_view name;
  Place place = Place::start;
  bool to_next = false;  // it belongs to the slice that begins next, not to the one around it
};

struct PartPause {
  std::int64_t begin_ns = 0, end_ns = 0;
};

// What a record says beyond its columns.
struct PartText {
  std::string category;
  std::string args;  // a JSON object; "" if it has none, or none are to be written
};

}  // namespace cinderscope
