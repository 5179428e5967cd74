// What a search finds in a trace of which some stayed on disk: all of it is counted, so much is
// listed as there is room for.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/format/name_index.h"
#include "ingest/model/record_text.h"
#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/match_order.h"
#include "ingest/search/search_query.h"
#include "render/base/index_set.h"

namespace cinderscope {

// A slice or an instant that was found, loaded or not. In the order of time.
struct DiskMatch {
  std::int64_t begin_ns = 0;
  TrackId track = kNoTrack;
  RecordOffset record = kNoRecord;
  std::int64_t duration_ns = 0;
  StringId name = kEmptyString;
  bool instant = false;

  auto place() const { return std::tuple(begin_ns, track, record); }
};

// Immutable once handed out.
struct DiskMatches {
  std::vector<DiskMatch> listed;  // the first ones, by place()
  std::uint64_t slices = 0, instants = 0;
  std::uint64_t name_count = 0, args_count = 0;  // of these: by their name, by their record
  IndexSet tracks;                               // with any
  bool complete = false, failed = false;         // failed: what lies on disk could not be read
  double share = 0;                              // of the trace that was read
  std::shared_ptr<const StringPool> strings;
  TimeAxis axis = TimeAxis::nanoseconds;

  std::uint64_t count() const { return slices + instants; }
  bool all_listed() const { return listed.size() == count(); }
};

// The tracks of a timeline of which an index knows the calls, and all others. Immutable once made.
struct DiskTracks {
  std::vector<TrackId> of_thread;  // by thread of the index; kNoTrack: it has none
  std::vector<TrackSlices> all;    // by track, without their slices
  SliceSet loaded;                 // those that the index knows nothing of, which are loaded whole
  std::uint64_t loaded_calls = 0;  // on these
};
// UI thread.
std::shared_ptr<const DiskTracks> disk_tracks(const NameIndex& index, const Timeline& timeline);

struct DiskQuestion {
  std::shared_ptr<const NameIndex> index;
  std::shared_ptr<const DiskTracks> tracks;
  SearchQuery query;
  Scope scope;  // has no set
  std::shared_ptr<const RecordReader> source;
  unsigned jobs = 1;
  std::size_t most_listed = 500'000;  // some 48 bytes each; twice as much while they are looked for
};

using DiskMatchesPointer = std::shared_ptr<const DiskMatches>;
// Any thread. `publish` gets what was found so far, some times a second. Of no use once cancelled.
DiskMatchesPointer search_on_disk(const DiskQuestion& question, const std::atomic<bool>& cancelled,
                                  const std::function<void(DiskMatchesPointer)>& publish);

// The place among the listed of what begins there; nullopt if it is none.
std::optional<std::uint64_t> rank_of(const DiskMatches& matches, const DiskMatch& match);

// Maps lines of the table to what is listed and back. Immutable once made.
struct DiskLines {
  DiskMatchesPointer matches;
  MatchSorting sorting;
  std::vector<std::uint32_t> rank_of_line, line_of_rank;  // empty: by begin

  const DiskMatch& on_line(std::uint64_t line) const;
  std::optional<std::uint64_t> line_of(const DiskMatch& match) const;
};
DiskLines order_lines(DiskMatchesPointer matches, MatchSorting sorting,
                      const std::atomic<bool>& cancelled);

}  // namespace cinderscope
