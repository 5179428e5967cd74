#include "ingest/sql/grouped/grouped_query.h"

#include <array>

namespace cinderscope {

std::string_view column_of(GroupKey key) {
  constexpr std::array<std::string_view, kGroupKeys> kColumns = {
      "name",     "name_id",     "depth", "track_id",     "thread_id", "process_id",
      "trace_id", "thread_name", "tid",   "process_name", "pid",       "trace_name"};
  return kColumns[static_cast<std::size_t>(key)];
}

bool is_text(GroupKey key) {
  return key == GroupKey::name || key >= GroupKey::thread_name;
}

std::string_view column_of(TestedColumn column) {
  constexpr std::array<std::string_view, kTestedColumns> kColumns = {
      "slice_id",    "trace_id",    "track_id", "thread_id", "process_id", "ts",
      "dur",         "ts_end",      "self_dur", "depth",     "name_id",    "unfinished",
      "overlapping", "cut_begin",   "cut_end",  "name",      "trace_name", "process_name",
      "pid",         "thread_name", "tid"};
  return kColumns[static_cast<std::size_t>(column)];
}

}  // namespace cinderscope
