// Several timelines merged into one: processes, threads and tracks stay apart; times and ids move.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// How each slice of one timeline changes when the timeline becomes part of another.
struct SliceMove {
  std::int64_t shift_ns = 0;            // added to every time, which stays within +-2^62
  RecordOffset first_record = 0;        // added to every record below record_end
  RecordOffset record_end = kNoRecord;  // records from here on become kNoRecord
  std::span<const StringId> names;      // new ids by old id; an id beyond the list stays

  bool changes_nothing() const {
    return shift_ns == 0 && first_record == 0 && record_end == kNoRecord && names.empty();
  }
};

std::int64_t moved_time(std::int64_t time_ns, std::int64_t shift_ns);
RecordOffset moved_record(RecordOffset record, RecordOffset first_record, RecordOffset record_end);

// Seals every chunk of `rows` anew and rebuilds the summaries, on up to `jobs` threads. An old
// chunk is freed as soon as its new one is there, unless it is shared. Returns how many slices were
// clamped at the limits of time. Ends early once `cancelled` is set.
std::uint64_t move_slices(const std::vector<SliceRow*>& rows, const SliceMove& move,
                          const StringPool& names, unsigned jobs,
                          const std::atomic<bool>* cancelled = nullptr);

// Interns a name of `from`, with its label and colour if it has them, in `to`.
StringId taken_over(const StringPool& from, StringId name, StringPool& to);

struct TimelinePart {
  Timeline timeline;  // complete; only block 0 of its tracks is taken
  std::string label;  // the file's name, unique among the parts
  std::int64_t shift_ns = 0;
  RecordOffset first_record = 0, record_end = kNoRecord;
  std::uint32_t source = 0;  // for DeferredChildren::source
};

// All parts must have the same axis. Names of the first part keep their ids; a single part that is
// not moved comes back as it is. Processes of several parts that have the same name get the file's
// name added. Diagnostics and notes name their file.
Timeline merge_timelines(std::vector<TimelinePart> parts, unsigned jobs,
                         const std::atomic<bool>* cancelled = nullptr);

}  // namespace cinderscope
