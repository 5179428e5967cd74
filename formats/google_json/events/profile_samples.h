// The times of a CPU profile's samples, as the events tell them: kept where a part is to be
// written.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/ids.h"

namespace cinderscope::google_json {

struct ProfileSamples {
  enum class Runs : std::uint8_t { call, collector, unknown };
  // An event with samples, and the time from which its first delta counts.
  struct Chunk {
    RecordOffset record = kNoRecord;
    std::uint64_t first = 0;  // of its samples
    std::int64_t before_ns = 0;
  };

  ThreadId thread{};
  RecordOffset record = kNoRecord;  // the event that tells when it begins
  std::int64_t end_ns = INT64_MIN;
  std::vector<Chunk> chunks;  // in the order of the file, as all of these
  std::vector<std::int64_t> times_ns;
  std::vector<Runs> runs;  // of each sample
};

}  // namespace cinderscope::google_json
