// Ticks of a .spall file as time keys that keep every bit, and from keys to nanoseconds.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "ingest/build/track_writer.h"

namespace cinderscope::spall {

// A little below 2^62: times beyond are clamped.
inline constexpr std::int64_t kMostNs = 4'600'000'000'000'000'000;

// Exact products of a tick and the unit; rounded once, to the nearest nanosecond.
class Multiplier {
 public:
  // > 0 and finite.
  explicit Multiplier(double ns_per_tick);

  // mantissa x 2^exponent ticks. The result must be below 2^63.
  std::uint64_t ns(std::uint64_t mantissa, int exponent) const;
  // The most ticks that stay within what a timeline holds (2^62 ns).
  long double most_ticks() const { return most_ticks_; }

 private:
  std::uint64_t mantissa_;  // 53 bits
  int exponent_;
  long double most_ticks_;
};

// u64 ticks, of versions 2, 3 and auto. The key is the tick; counters that begin beyond 2^62 have
// their top bit flipped, so that all of their keys keep their order as signed numbers.
class TickClock : public TimeScale {
 public:
  TickClock(double ns_per_tick, std::uint64_t first_tick);

  std::int64_t ns(std::int64_t key) const override {
    return static_cast<std::int64_t>(multiplier_.ns(static_cast<std::uint64_t>(key) ^ flip_, 0));
  }
  std::int64_t key(std::uint64_t tick, bool& clamped) const {
    if (tick > most_ticks_) [[unlikely]] {
      clamped = true;
      tick = most_ticks_;
    }
    return static_cast<std::int64_t>(tick ^ flip_);
  }

 private:
  Multiplier multiplier_;
  std::uint64_t flip_;
  std::uint64_t most_ticks_;
};

// f64 ticks with their fractions, of versions 0 and 1. The key is the double's bits, made to order
// as signed numbers.
class DoubleClock : public TimeScale {
 public:
  explicit DoubleClock(double ns_per_tick);

  std::int64_t ns(std::int64_t key) const override;
  // `ticks` is no NaN.
  std::int64_t key(double ticks, bool& clamped) const {
    if (std::abs(ticks) > most_ticks_) [[unlikely]] {
      clamped = true;
      ticks = std::copysign(most_ticks_, ticks);
    }
    return ordered(std::bit_cast<std::int64_t>(ticks + 0.0));  // + 0.0: -0 is 0
  }

 private:
  // Its own inverse: negative doubles order backwards, all but their sign is flipped.
  static std::int64_t ordered(std::int64_t bits) { return bits ^ ((bits >> 63) & INT64_MAX); }

  Multiplier multiplier_;
  double most_ticks_;
};

// Of one file; which of the two it takes depends on its version. Outlives the builder's finish().
struct SpallClock {
  DoubleClock doubles;
  TickClock ticks;
};

}  // namespace cinderscope::spall
