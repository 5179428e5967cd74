// The times in which nothing runs on a track, and what stands at their ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "ingest/model/timeline.h"

namespace cinderscope {

struct IdleTime {
  std::int64_t begin_ns = 0, end_ns = 0;
  SliceRef before, after;  // the slice that ends there, and the next one; falsy if there is none
};

// One after the other, by begin.
class IdleTimes {
 public:
  // Between the first and the last slice of the track, or in [begin_ns, end_ns).
  IdleTimes(const Timeline& timeline, TrackId track, std::optional<std::int64_t> begin_ns,
            std::optional<std::int64_t> end_ns, const std::atomic<bool>* cancelled = nullptr);

  std::optional<IdleTime> next();

 private:
  SliceRef ending_at(std::uint64_t busy) const;
  SliceRef beginning_at(std::uint64_t busy) const;

  const Timeline& timeline_;
  TrackId track_;
  const std::atomic<bool>* cancelled_;
  const SliceRow* busy_;     // null: no slices
  bool is_covered_ = false;  // it has times that slices cover, not the slices themselves
  std::uint64_t next_ = 0;
  std::int64_t reached_ns_ = 0, end_ns_ = 0;
};

}  // namespace cinderscope
