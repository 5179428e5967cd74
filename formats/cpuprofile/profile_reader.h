// The JSON of V8's profiles, whichever form it has, walked once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/base/json/json_walk.h"
#include "ingest/build/profile/v8_profile.h"

namespace cinderscope::cpuprofile {

// What was read of a profile; times are nanoseconds.
struct ReadProfile {
  explicit ReadProfile(StringPool& names) : calls(names) {}

  V8Profile calls;
  std::vector<std::uint64_t> node_offset;  // of each node's text
  std::vector<std::int64_t> node_weight;   // of each node: hitCount, of a heap selfSize
  bool is_heap = false;
  bool is_nested = false;  // the form with `head`
  bool has_samples = false;
  std::vector<std::int64_t> deltas_ns, timestamps_ns;
  bool has_deltas = false, has_timestamps = false;
  std::string start_text, end_text;  // in microseconds, in the old form seconds
  std::string title;
  std::vector<std::pair<std::string, std::string>> notes;
  bool cut = false;
  std::uint64_t end_offset = 0;  // of what was read
};

// `go_on` is asked now and then with the place that was reached; false ends the walk.
void read_profile(std::string_view text, const std::function<bool(std::uint64_t)>& go_on,
                  ReadProfile& out);

// What one node says of itself, whatever lies in it: fields of callFrame stand in the node in the
// old form.
struct NodeFields {
  std::string_view id, parent_id, function_name, script_id, url, line, column;
  std::string_view hit_count, self_size, ticks, deopt_reason;  // all raw
  bool has_call_frame = false;
};
// Takes one member of a node, whose key was read; false: it is not known and was not taken.
bool read_node_field(json::JsonWalk& walk, NodeFields& out);

}  // namespace cinderscope::cpuprofile
