#include "formats/spall/spall_clock.h"

#include <algorithm>
#include <limits>

namespace cinderscope::spall {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kMantissaBits = 53;

}  // namespace

Multiplier::Multiplier(double ns_per_tick) {
  int exponent = 0;
  const double fraction = std::frexp(ns_per_tick, &exponent);
  mantissa_ = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
  exponent_ = exponent - kMantissaBits;
  most_ticks_ = static_cast<long double>(kMostNs) / static_cast<long double>(ns_per_tick);
}

std::uint64_t Multiplier::ns(std::uint64_t mantissa, int exponent) const {
  const Wide product = static_cast<Wide>(mantissa) * mantissa_;  // at most 117 bits
  const int shift = -(exponent_ + exponent);
  if (shift <= 0) return static_cast<std::uint64_t>(product << std::min(-shift, 127));
  if (shift > 126) return 0;
  return static_cast<std::uint64_t>((product + (static_cast<Wide>(1) << (shift - 1))) >> shift);
}

TickClock::TickClock(double ns_per_tick, std::uint64_t first_tick)
    : multiplier_(ns_per_tick),
      flip_(first_tick >= std::uint64_t{1} << 62 ? std::uint64_t{1} << 63 : 0) {
  const std::uint64_t most =
      flip_ != 0 ? std::numeric_limits<std::uint64_t>::max() : std::uint64_t{INT64_MAX};
  most_ticks_ = multiplier_.most_ticks() >= static_cast<long double>(most)
                    ? most
                    : static_cast<std::uint64_t>(multiplier_.most_ticks());
}

DoubleClock::DoubleClock(double ns_per_tick) : multiplier_(ns_per_tick) {
  most_ticks_ = static_cast<double>(
      std::min<long double>(multiplier_.most_ticks(), std::numeric_limits<double>::max()));
}

std::int64_t DoubleClock::ns(std::int64_t key) const {
  const std::int64_t bits = ordered(key);
  constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << (kMantissaBits - 1)) - 1;
  const int biased = static_cast<int>((bits >> (kMantissaBits - 1)) & 0x7ff);
  std::uint64_t mantissa = static_cast<std::uint64_t>(bits) & kFractionMask;
  if (biased != 0) mantissa |= kFractionMask + 1;
  const int exponent = std::max(biased, 1) - 1023 - (kMantissaBits - 1);
  const auto ns = static_cast<std::int64_t>(multiplier_.ns(mantissa, exponent));
  return bits < 0 ? -ns : ns;
}

}  // namespace cinderscope::spall
