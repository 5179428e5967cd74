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

}  // namespace cinderscope
