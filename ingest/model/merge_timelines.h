// Several timelines as one: each process, thread and track stays apart, times and names are moved.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// What happens to each slice of a part.
struct SliceMove {
  std::int64_t shift_ns = 0;            // added to every time, which stays within +-2^62
  RecordOffset first_record = 0;        // added to every record below record_end; others are lost
  RecordOffset record_end = kNoRecord;  // of the part's own records
  std::span<const StringId> names;      // by old id; those beyond it stay

  bool changes_nothing() const {
    return shift_ns == 0 && first_record == 0 && record_end == kNoRecord && names.empty();
  }
};

std::int64_t moved_time(std::int64_t time_ns, std::int64_t shift_ns);

// Seals every chunk anew from up to `jobs` threads, each old one freed as its new one is there (if
// nobody else holds it), and sums up again. Returns how many slices the limits of time changed.
// Ends early once the flag is set.
std::uint64_t move_slices(const std::vector<SliceRow*>& rows, const SliceMove& move,
                          const StringPool& names, unsigned jobs,
                          const std::atomic<bool>* cancelled = nullptr);

// The name in another pool, with its label and colour where it has such.
StringId taken_over(const StringPool& from, StringId name, StringPool& to);

// What a diagnostic of the part's is filed under; `number` counts the parts from 1.
std::string code_of_part(std::string_view code, unsigned number);

struct TimelinePart {
  Timeline timeline;  // complete; only block 0 of its tracks is taken
  std::string label;  // the file's name; no two parts have the same
  std::int64_t shift_ns = 0;
  RecordOffset first_record = 0, record_end = kNoRecord;
  std::uint32_t source = 0;  // for DeferredChildren::source
};

// The parts must agree in their axis. Names of the first part keep their ids; a single part that is
// not moved comes back as it is. Where processes of several parts would be called the same, the
// file's name is added. Diagnostics and notes name their file.
Timeline merge_timelines(std::vector<TimelinePart> parts, unsigned jobs,
                         const std::atomic<bool>* cancelled = nullptr);

}  // namespace cinderscope
