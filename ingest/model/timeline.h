// The model of an opened trace: processes, threads, tracks, slices; plain data, read by every view.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/model/flows/flow_points.h"
#include "ingest/model/ids.h"
#include "ingest/model/measure/time_axis.h"
#include "ingest/model/measure/weights.h"
#include "ingest/model/pauses.h"
#include "ingest/model/slice_row.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

// One of several files on a timeline.
struct TimelineFile {
  std::string name;  // short, tells it from the others
  std::string path;
};

inline constexpr std::uint32_t kNoFile = UINT32_MAX;

struct Process {
  StringId pid = kEmptyString;   // as text
  StringId name = kEmptyString;  // empty if the trace gives none
  StringId labels = kEmptyString;
  double sort_index = 0;
  std::int64_t first_ns = INT64_MAX;  // of anything drawn; INT64_MAX if nothing is
  std::uint32_t file = kNoFile;       // in Timeline::files
  bool added = false;                 // no part of the trace: see build/added_tracks.h
};

struct Thread {
  ProcessId process{};
  StringId tid = kEmptyString;  // as text, "-" where the trace gives none
  StringId name = kEmptyString;
  double sort_index = 0;
  TrackId track = kNoTrack;         // its slices and instants; kNoTrack if it owns neither
  std::uint64_t wide_instants = 0;  // instants that it recorded for a track of marks
};

enum class TrackKind : std::uint8_t {
  thread,     // slices and instants of one thread
  async,      // async slices of one process and name, packed into rows
  samples,    // slices made from stack samples or a CPU profile
  counter,    // one counter with one or more series
  calls,      // whole calls of a thread as its recorder summed them up; shown above the thread
  lifetimes,  // what lasts but is no call (objects, states): packed into rows, nothing nests
  marks,      // instants of a whole process, or of all of them (Track::global)
};

// DeferredChildren::count of a slice with so many children on disk that its source counts them only
// when asked to.
inline constexpr std::uint64_t kNotCounted = UINT64_MAX;

// A slice whose children stayed on disk. Sorted by (row, slice) within its block.
struct DeferredChildren {
  std::uint32_t row = 0;     // relative to the block's rows
  std::uint32_t source = 0;  // index of the file, where several are merged
  std::uint64_t slice = 0;
  std::uint64_t source_key = 0;  // means something only to the TraceSource
  // Direct children, deeper levels not counted; 0: few, to be read all at once.
  std::uint64_t count = 0;
  std::uint64_t piece_children = 0;  // children to read at a time; 0: any number
};

// Slices that were loaded together: block 0 of a track by load(), others by load_children().
struct SliceBlock {
  std::uint32_t base_depth = 0;  // rows[i] lies at depth base_depth + i; 0 is outermost
  std::vector<SliceRow> rows;
  std::vector<DeferredChildren> deferred;
  // Instants inside calls, where the format says in which: nested_instants[i] lie in calls of the
  // row above rows[i], so at the depth of rows[i]. In block 0 nested_instants[0] is empty: those
  // are the track's instants. On async tracks they are steps, on lifetimes what was seen of them.
  std::vector<SliceRow> nested_instants;
  // For blocks of load_children(): the slice whose children these are, and which of them.
  BlockId parent_block{};
  std::uint32_t parent_row = 0;
  std::uint64_t parent_slice = 0;
  std::uint64_t first_child = 0, child_count = 0;

  std::size_t kept_bytes() const;
};

struct CounterSeries {
  StringId name = kEmptyString;
  std::vector<std::int64_t> time_ns;  // sorted
  std::vector<double> value;          // value[i] holds from time_ns[i] to time_ns[i + 1]
  double min = 0, max = 0;
};

struct Track {
  TrackKind kind = TrackKind::thread;
  ProcessId process{};
  ThreadId thread = kNoThread;   // of a thread track, and of a sample track where it is known
  StringId name = kEmptyString;  // of a track that is not a thread's own
  std::vector<std::shared_ptr<const SliceBlock>> blocks;  // null: evicted; [0] is never null
  SliceRow instants;                  // zero-length "slices" outside of calls or at unknown depth
  std::vector<CounterSeries> series;  // of a counter track

  std::uint64_t slice_count = 0;  // of block 0
  // Some slice partly overlaps another and was moved to a deeper row. Without any, a slice's row is
  // its depth, and its parent is on the row above.
  bool has_overlaps = false;
  bool global = false;            // of marks: they belong to all processes
  std::int64_t tolerance_ns = 0;  // by which a slice may stick out of its parent
  SliceRow covered;  // the time that any slice covers, where the outermost row has not all of it
  std::uint32_t row_count = 0;    // of block 0 and its loaded children
  std::uint32_t depth = 0;        // how many slices lie in each other at most
  std::uint64_t group_count = 0;  // of an async track: distinct ids
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;  // of everything on it

  const SliceBlock& root() const { return *blocks.front(); }
  // The row that tells when the track is busy, of block 0; null if it has no slices.
  const SliceRow* busy_row() const {
    if (!covered.chunks.empty()) return &covered;
    return blocks.empty() || root().rows.empty() ? nullptr : &root().rows.front();
  }
};

// Names an instant: row 0 of block 0 means Track::instants, any other SliceBlock::nested_instants.
// Stays valid as a SliceRef does.
struct InstantRef {
  TrackId track = kNoTrack;
  std::uint64_t instant = 0;
  BlockId block{};
  std::uint32_t row = 0;  // of the block's nested_instants

  bool operator==(const InstantRef&) const = default;
  explicit operator bool() const { return track != kNoTrack; }
};

// Where something that was recorded is missing.
struct DataGap {
  static constexpr std::int64_t kToTheEnd = INT64_MAX;
  std::int64_t begin_ns = 0, end_ns = kToTheEnd;
  std::uint32_t file = kNoFile;  // in Timeline::files, of all processes of this one; else of all
  ThreadId thread = kNoThread;   // of this one alone
  bool operator==(const DataGap&) const = default;
};

// A remark of the file about the trace (otherData, metadata, ...): text as written, possibly JSON.
struct TraceNote {
  std::string key;
  std::string text;  // cut at 64 KiB
};

// What a colour stands for, in formats that colour names by their meaning.
struct LegendEntry {
  std::string text;
  std::uint32_t colour = 0;  // as StringPool::hash
  std::string search;        // query that finds everything of this colour; may be empty
  bool operator==(const LegendEntry&) const = default;
};

struct KeptBytes {
  std::uint64_t columns = 0, lod = 0, names = 0, args = 0, other = 0;
  std::uint64_t total() const { return columns + lod + names + args + other; }
};

// A trace as a value: copying shares chunks and strings. Owned by one thread at a time.
struct Timeline {
  TimeAxis axis = TimeAxis::nanoseconds;
  // Each thread counts its own events from 0: positions on two threads do not compare.
  bool threads_apart = false;
  // What lengths can stand for, where the source has a list of its own, and what they stand for
  // now.
  std::vector<Weight> weights;
  std::size_t weight = 0;
  bool show_ns_unit = false;        // the file asks for all digits, down to nanoseconds
  std::vector<TimelineFile> files;  // where there are several on it, else none
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Track> tracks;
  std::shared_ptr<const Flows> flows = std::make_shared<const Flows>();
  std::vector<std::shared_ptr<const ProcessPauses>> pauses;  // at most one for a process
  std::shared_ptr<StringPool> strings = std::make_shared<StringPool>();
  Diagnostics diagnostics;
  std::vector<TraceNote> notes;
  std::vector<LegendEntry> legend;
  std::vector<DataGap> gaps;

  std::int64_t begin_ns = 0, end_ns = 0;  // of everything drawn; equal for an empty trace
  std::int64_t slices_begin_ns = 0, slices_end_ns = 0;  // of slices of thread tracks
  std::uint64_t slice_count = 0;                        // these three on thread tracks alone
  std::uint64_t unfinished_count = 0, overlapping_count = 0;
  std::uint64_t instant_count = 0, sample_count = 0;
  std::uint64_t async_slice_count = 0, async_unfinished_count = 0, async_group_count = 0;
  std::uint64_t async_step_count = 0;  // marks on async tracks
  std::uint64_t lifetime_count = 0, lifetime_mark_count = 0;
  std::uint64_t flow_count = 0, bind_flow_count = 0;
  std::uint64_t record_count = 0;  // records of the file
  bool complete = false;           // false for a snapshot taken while loading
  // False: only what is at hand of it may be drawn (SliceChunk::at_hand), and nothing else be asked
  // of its slices, as long as it is not known whether they are sound.
  bool columns_checked = true;

  std::string_view text(StringId id) const { return strings->text(id); }
  bool empty() const { return tracks.empty(); }  // nothing to draw
};

KeptBytes kept_bytes(const Timeline& timeline);
// True if calls stayed on disk when the trace was loaded, whatever was read of them since.
bool has_calls_on_disk(const Timeline& timeline);

// The block that holds the slice; null if `ref` is falsy, stale or its block was evicted.
const SliceBlock* block_of(const Timeline& timeline, const SliceRef& ref);
Slice slice_at(const Timeline& timeline, const SliceRef& ref);  // ref's block must be there
// The row of its track that the slice is drawn on; 0 is the topmost. How deep it lies in other
// slices: slice_nesting.h.
std::uint32_t track_row_of(const Timeline& timeline, const SliceRef& ref);

// A point of a flow with its time, which counts from the begin of its slice.
FlowPoint flow_point(const Timeline& timeline, std::uint64_t point);

// The row that holds the instant; null if `ref` is falsy, stale or its block was evicted.
const SliceRow* instants_of(const Timeline& timeline, const InstantRef& ref);
// The track's instants and all nested instants that are loaded.
std::uint64_t instant_count(const Track& track);

// The loaded call that a nested instant lies in; falsy for Track::instants.
SliceRef call_around(const Timeline& timeline, const InstantRef& ref);

// True where rows are shared by what was packed into them: neighbours of a row need not have one
// parent.
inline bool is_packed(TrackKind kind) {
  return kind == TrackKind::async || kind == TrackKind::lifetimes;
}
// False where nothing lies inside another.
inline bool slices_nest(const Track& track) {
  return track.kind != TrackKind::lifetimes;
}

// Pauses of the track's process; null if it has none.
const ProcessPauses* pauses_of(const Timeline& timeline, TrackId track);

// The text of a name as it is read; "(no name)" for the empty one.
std::string_view display_name(const Timeline& timeline, StringId name);
// The label of a name, where the format gives it a shorter form, else display_name().
std::string_view display_label(const Timeline& timeline, StringId name);

}  // namespace cinderscope
