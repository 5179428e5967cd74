// Which samples of CPU profiles are copied into a part, and at what times.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "formats/google_json/events/profile_samples.h"
#include "ingest/part/part_options.h"

namespace cinderscope::google_json {

// A sample lasts until the next one, so what ran at the range's begin is told by the one before:
// it is written at the begin, as a counter's value is, and with it, if it is the collector, what
// that ran on. Immutable once made; any thread. The profiles must stay.
class ProfilePlan {
 public:
  ProfilePlan(const std::vector<ProfileSamples>& profiles, const PartOptions& options,
              const std::function<bool(ThreadId)>& is_thread_written);

  static constexpr std::uint64_t kNone = UINT64_MAX;
  struct Part {
    const ProfileSamples* samples = nullptr;
    bool is_written = false;  // its thread is, and some of its samples are
    std::int64_t from = INT64_MIN, to = INT64_MAX;
    std::uint64_t held = kNone, under = kNone;  // samples from before the range
    std::int64_t held_ns = INT64_MIN;           // when they are written; INT64_MIN: when they were
    std::uint64_t last = kNone;                 // the last one that is kept
    std::int64_t end_ns = INT64_MAX;            // when that ends at the latest
    bool is_cut = false;                        // it would last longer

    bool keeps(std::uint64_t sample) const {
      const std::int64_t time = samples->times_ns[sample];
      return (time >= from && time < to) || sample == held || sample == under;
    }
    std::int64_t time(std::uint64_t sample) const {
      const bool moved = held_ns != INT64_MIN && (sample == held || sample == under);
      return moved ? held_ns : samples->times_ns[sample];
    }
  };
  // An event of a profile.
  struct Chunk {
    RecordOffset record = kNoRecord;
    std::uint32_t part = 0;
    std::uint64_t first = 0, end = 0;  // its samples
    std::uint64_t kept = 0;            // how many of them are written
    // The time of the sample before it: in the trace, and as it is written.
    std::int64_t before_ns = 0, written_ns = 0;
  };
  const Chunk* chunk(RecordOffset record) const;  // null: it tells of no profile
  const Part& part(const Chunk& chunk) const { return parts_[chunk.part]; }

 private:
  void find_edges(Part& part, RangeEdges edges) const;
  void add_chunks(const Part& part);

  std::vector<Part> parts_;
  std::vector<Chunk> chunks_;  // by record
};

}  // namespace cinderscope::google_json
