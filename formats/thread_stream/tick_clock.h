// From ticks to nanoseconds, by a ratio or between samples of the clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/thread_stream/chunk_walk.h"
#include "formats/thread_stream/oddities.h"
#include "formats/thread_stream/tables.h"

namespace cinderscope::thread_stream {

__extension__ using Wide = unsigned __int128;

// Times stay within what a timeline holds.
inline constexpr std::int64_t kMostNs = std::int64_t{1} << 62;

// ns = anchor_ns + (tick - anchor_tick) x numerator / divisor, rounded down. The product of what is
// within `fast_ticks` of the anchor is found by multiplying with the inverse, which is one too
// small at most.
struct Stretch {
  std::uint64_t first_tick = 0, last_tick = UINT64_MAX;
  std::uint64_t anchor_tick = 0;
  std::int64_t anchor_ns = 0;
  std::uint64_t numerator = 1, divisor = 1;
  std::uint64_t whole = 1, rest = 0, inverse = 0;  // numerator / divisor; its rest over divisor
  std::uint64_t fast_ticks = 0;

  Stretch() = default;
  Stretch(std::uint64_t tick, std::int64_t ns, std::uint64_t num, std::uint64_t den);
  std::int64_t ns(std::uint64_t tick) const {
    const std::uint64_t ticks = tick - anchor_tick;
    if (tick < anchor_tick || ticks >= fast_ticks) [[unlikely]]
      return far_ns(tick);
    const auto part = static_cast<std::uint64_t>((static_cast<Wide>(ticks) * inverse) >> 64);
    const std::uint64_t left = ticks * rest - part * divisor;
    const std::uint64_t ns = ticks * whole + part + (left >= divisor ? 1 : 0);
    return anchor_ns + static_cast<std::int64_t>(ns);
  }
  std::int64_t far_ns(std::uint64_t tick) const;
};

class TickClock {
 public:
  TickClock(const FileHeader& header, std::span<const ClockSample> samples, OddityCounts& odd);

  // The ticks whose times stay, whatever samples are still to come. All that come are later.
  struct Settled {
    std::uint64_t first_tick = 1, last_tick = 0;  // none
    bool has(std::uint64_t tick) const { return tick >= first_tick && tick <= last_tick; }
  };
  static Settled settled(const FileHeader& header, std::span<const ClockSample> samples);

  const Stretch& stretch_of(std::uint64_t tick) const;
  std::int64_t ns(std::uint64_t tick) const { return stretch_of(tick).ns(tick); }

 private:
  void check(std::span<const ClockSample> samples, OddityCounts& odd) const;

  std::vector<Stretch> stretches_;  // by first_tick, without gaps
};

// A clock whose last stretch is kept in hand: ticks of a stream seldom leave it.
class ClockInHand {
 public:
  explicit ClockInHand(const TickClock& clock) : clock_(&clock), stretch_(clock.stretch_of(0)) {}

  std::int64_t ns(std::uint64_t tick) {
    if (tick < stretch_.first_tick || tick > stretch_.last_tick) [[unlikely]]
      stretch_ = clock_->stretch_of(tick);
    return stretch_.ns(tick);
  }

 private:
  const TickClock* clock_;
  Stretch stretch_;
};

}  // namespace cinderscope::thread_stream
