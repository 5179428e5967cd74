// Slices moved in time, with other names and records: for merging, and for new names of calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ingest/model/slice_row.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

// How each slice of one timeline changes when the timeline becomes part of another.
struct SliceMove {
  std::int64_t shift_ns = 0;            // added to every time, which stays within +-2^62
  RecordOffset first_record = 0;        // added to every record below record_end
  RecordOffset record_end = kNoRecord;  // records from here on become kNoRecord
  std::span<const StringId> names;      // new ids by old id; an id beyond the list stays
  // Old ids (1) whose slices have several new names; `name_of_record`, on any thread, says which.
  std::span<const std::uint8_t> split;
  std::function<StringId(RecordOffset record, StringId usual)> name_of_record;

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

}  // namespace cinderscope
