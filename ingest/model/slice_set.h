// All slices of a timeline as a value that another thread can read: for search and statistics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ingest/model/scope.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// The slices of one track. Blocks keep their indices, so a SliceRef means the same as in the
// timeline.
struct TrackSlices {
  TrackId track = kNoTrack;
  TrackKind kind = TrackKind::thread;
  ProcessId process{};
  ThreadId thread = kNoThread;
  bool has_overlaps = false;
  std::int64_t tolerance_ns = 0;
  std::vector<std::shared_ptr<const SliceBlock>> blocks;  // null: evicted
  SliceRow instants;
  // Names to filter and sort by; empty where the trace gives none.
  StringId name = kEmptyString;  // of an async group or a sample track
  StringId thread_name = kEmptyString, tid = kEmptyString;
  StringId process_name = kEmptyString, pid = kEmptyString;
  std::string file;  // its short name where several are on the timeline
};

// Shares the blocks with the timeline, which may change afterwards. Cheap to make: no slice is
// copied.
struct SliceSet {
  TimeAxis axis = TimeAxis::nanoseconds;
  std::vector<TrackSlices> tracks;  // all but counters
  std::shared_ptr<const Flows> flows = std::make_shared<const Flows>();
  std::shared_ptr<const StringPool> strings;
};

// The slices of one track, which is no counter. UI thread.
TrackSlices slices_of(const Timeline& timeline, TrackId track);

// UI thread.
std::shared_ptr<const SliceSet> slice_set_of(const Timeline& timeline);

// Whether the scope measures slices of this track: one that it names whatever its kind, else the
// calls of threads, samples, or both.
bool is_measured(const TrackSlices& track, const Scope& scope);

// Whether the scope has the track for a search, which also looks at what is neither a call of a
// thread nor a sample: asynchronous slices, lifetimes, steps. All of that is recorded, as calls
// are.
bool is_searched(const TrackSlices& track, const Scope& scope);

// There are slices of samples beside calls; those of a profile are its threads' own. UI thread.
bool has_sample_tracks(const Timeline& timeline);

// What of a scope is worth measuring where nobody chose: its calls, or its samples if it has no
// calls. UI thread.
SlicesOf slices_worth_measuring(const Timeline& timeline, const Scope& scope);
// The same for a search: where there are no calls, but slices or instants that were recorded, both.
SlicesOf slices_worth_searching(const Timeline& timeline, const Scope& scope);

}  // namespace cinderscope
