#include "formats/thread_stream/tick_clock.h"

#include <algorithm>

namespace cinderscope::thread_stream {
namespace {

constexpr std::int64_t kFewestCheckedNs = 1'000'000;

// Of times, the later first.
std::uint64_t ns_between(std::int64_t to, std::int64_t from) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

// Whether two ratios differ by more than a hundredth of the second.
bool differs(std::uint64_t ns, std::uint64_t ticks, std::uint64_t all_ns, std::uint64_t all_ticks) {
  constexpr std::uint64_t kMostExact = std::uint64_t{1} << 60;
  if (std::max({ns, ticks, all_ns, all_ticks}) < kMostExact) {
    const Wide a = static_cast<Wide>(ns) * all_ticks, b = static_cast<Wide>(all_ns) * ticks;
    return (a > b ? a - b : b - a) > b / 100;
  }
  const long double a = static_cast<long double>(ns) * static_cast<long double>(all_ticks);
  const long double b = static_cast<long double>(all_ns) * static_cast<long double>(ticks);
  return (a > b ? a - b : b - a) * 100 > b;
}

}  // namespace

Stretch::Stretch(std::uint64_t tick, std::int64_t ns, std::uint64_t num, std::uint64_t den)
    : anchor_tick(tick),
      anchor_ns(ns),
      numerator(num),
      divisor(den),
      whole(num / den),
      rest(num % den) {
  inverse = static_cast<std::uint64_t>((static_cast<Wide>(rest) << 64) / den);
  // What is left over must not wrap round, nor the result leave the timeline.
  if (den >= std::uint64_t{1} << 62 || ns > kMostNs || ns < -kMostNs) return;
  const auto most_ns = static_cast<std::uint64_t>(kMostNs - std::max<std::int64_t>(ns, 0)) / 2;
  const Wide ticks = static_cast<Wide>(most_ns) * den / std::max<std::uint64_t>(num, 1);
  fast_ticks = static_cast<std::uint64_t>(std::min<Wide>(ticks, UINT64_MAX));
}

std::int64_t Stretch::far_ns(std::uint64_t tick) const {
  const bool before = tick < anchor_tick;
  const std::uint64_t ticks = before ? anchor_tick - tick : tick - anchor_tick;
  const Wide product = static_cast<Wide>(ticks) * numerator;
  const Wide quotient = product / divisor + (before && product % divisor != 0 ? 1 : 0);
  constexpr Wide kFar = static_cast<Wide>(1) << 64;  // from any anchor
  __extension__ using Signed = __int128;
  const auto distance = static_cast<Signed>(std::min(quotient, kFar));
  const Signed ns = before ? anchor_ns - distance : anchor_ns + distance;
  return static_cast<std::int64_t>(std::clamp<Signed>(ns, -kMostNs, kMostNs));
}

TickClock::TickClock(const FileHeader& header, std::span<const ClockSample> samples,
                     OddityCounts& odd) {
  const bool has_ratio = header.ns_numerator != 0 && header.ns_divisor != 0;
  const ClockSample first = samples.empty() ? ClockSample() : samples.front();
  if ((has_ratio && header.exact_ratio()) || samples.size() < 2) {
    if (!has_ratio) odd.count(Oddity::no_clock);
    stretches_.emplace_back(first.tick, first.monotonic_ns, has_ratio ? header.ns_numerator : 1,
                            has_ratio ? header.ns_divisor : 1);
    return;
  }
  check(samples, odd);
  const ClockSample& last = samples.back();
  const std::uint64_t all_ns = ns_between(last.monotonic_ns, first.monotonic_ns);
  const std::uint64_t all_ticks = last.tick - first.tick;
  if (first.tick > 0) {
    stretches_.emplace_back(first.tick, first.monotonic_ns, all_ns, all_ticks);
    stretches_.back().last_tick = first.tick - 1;
  }
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const ClockSample &from = samples[i], &to = samples[i + 1];
    stretches_.emplace_back(from.tick, from.monotonic_ns,
                            ns_between(to.monotonic_ns, from.monotonic_ns), to.tick - from.tick);
    stretches_.back().first_tick = from.tick;
    stretches_.back().last_tick = to.tick - 1;
  }
  stretches_.emplace_back(last.tick, last.monotonic_ns, all_ns, all_ticks);
  stretches_.back().first_tick = last.tick;
}

TickClock::Settled TickClock::settled(const FileHeader& header,
                                      std::span<const ClockSample> samples) {
  const bool has_ratio = header.ns_numerator != 0 && header.ns_divisor != 0;
  if (samples.empty()) return {};
  if (has_ratio && header.exact_ratio()) return {0, UINT64_MAX};
  if (samples.size() < 2) return {};
  return {samples.front().tick, samples.back().tick};
}

void TickClock::check(std::span<const ClockSample> samples, OddityCounts& odd) const {
  if (samples.size() < 3) return;
  const std::uint64_t all_ns =
      ns_between(samples.back().monotonic_ns, samples.front().monotonic_ns);
  const std::uint64_t all_ticks = samples.back().tick - samples.front().tick;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const std::uint64_t ns = ns_between(samples[i + 1].monotonic_ns, samples[i].monotonic_ns);
    if (ns < static_cast<std::uint64_t>(kFewestCheckedNs)) continue;
    const std::uint64_t ticks = samples[i + 1].tick - samples[i].tick;
    if (differs(ns, ticks, all_ns, all_ticks)) odd.count(Oddity::clock_disagrees);
  }
}

const Stretch& TickClock::stretch_of(std::uint64_t tick) const {
  const auto after = std::ranges::upper_bound(stretches_, tick, {}, &Stretch::first_tick);
  return after == stretches_.begin() ? *after : *std::prev(after);
}

}  // namespace cinderscope::thread_stream
