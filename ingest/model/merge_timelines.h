// Several timelines merged into one: processes, threads and tracks stay apart; times and ids move.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

struct TimelinePart {
  Timeline timeline;  // complete; only block 0 of its tracks is taken
  std::string label;  // the file's name, unique among the parts
  TimelineFile file = {};
  std::int64_t shift_ns = 0;
  RecordOffset first_record = 0, record_end = kNoRecord;
  std::uint32_t source = 0;  // for DeferredChildren::source
};

// All parts must have the same axis. Names of the first part keep their ids; a single part that is
// not moved comes back as it is. Processes of several parts know their file; diagnostics and notes
// name it.
Timeline merge_timelines(std::vector<TimelinePart> parts, unsigned jobs,
                         const std::atomic<bool>* cancelled = nullptr);

}  // namespace cinderscope
