// The begin records of many slices, made side by side.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/part/loss_report.h"
#include "ingest/part/part_reader.h"

namespace cinderscope::spall {

inline constexpr LossKind kClampedTimes{"clamped_times", "time", "times", "{} were clamped"};

// A tick is a nanosecond, counted from the first slice; what is beyond is clamped, as readers do,
// so it is the same when it is written again.
struct TickTime {
  std::int64_t first_time = 0;
  // True: it was clamped.
  bool to_tick(std::int64_t time, std::uint64_t& tick) const;
};

struct BeginRecords {
  std::string bytes;
  std::vector<std::uint64_t> ends;  // of the records, in `bytes`
  LossReport losses;
  std::vector<std::pair<StringId, RecordOffset>> cut_names;

  std::string_view record(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return {bytes.data() + begin, static_cast<std::size_t>(ends[i] - begin)};
  }
  void clear() {
    bytes.clear();
    ends.clear();
    losses = {};
    cut_names.clear();
  }
};

// Any thread.
void make_begin_records(const PartReader& part, TickTime clock, std::span<const PartSlice> slices,
                        BeginRecords& records);

}  // namespace cinderscope::spall
