// Where ranks of durations lie, between closer and closer values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ingest/totals/durations/duration_ranks.h"

namespace cinderscope {

inline constexpr std::size_t kRanks = kRankShares.size();

// Between which values a rank lies, and its place among those.
struct Bracket {
  std::uint64_t low = 0;
  std::uint32_t bits = 0;  // 2^bits values from `low` on
  std::uint64_t rank = 0;
  std::uint64_t count = 0;  // calls with such a duration; more than the rank
  bool found = false;       // `low` is it

  bool has(std::uint64_t value) const { return (value - low) >> bits == 0; }
};

struct CountedName {
  std::uint32_t name = 0;
  std::array<Bracket, kRanks> brackets;
  // Brackets that are the same are looked at once: which one stands for each.
  std::array<std::uint8_t, kRanks> stands_for{};
  std::uint8_t looked_at = 0;                            // bits: brackets that stand for some
  std::array<std::uint64_t, kRanks> firsts{}, places{};  // where gathered values begin, and go
};

// `wanted` says which brackets take part.
template <class Wanted>
void share(CountedName& name, const Wanted& wanted) {
  name.looked_at = 0;
  for (std::uint8_t r = 0; r < kRanks; ++r) {
    const Bracket& bracket = name.brackets[r];
    name.stands_for[r] = r;
    if (!wanted(bracket)) continue;
    for (std::uint8_t before = 0; before < r; ++before) {
      const Bracket& other = name.brackets[before];
      if (wanted(other) && other.low == bracket.low && other.bits == bracket.bits) {
        name.stands_for[r] = name.stands_for[before];
        break;
      }
    }
    if (name.stands_for[r] == r) name.looked_at |= static_cast<std::uint8_t>(1u << r);
  }
}

// Of a bracket that is all values at first: what duration_bucket() says of the calls, by bucket.
void narrow_coarsely(Bracket& bracket, std::span<const std::uint32_t> buckets);

// Afterwards: how many calls lie in it, by their duration from `low` on, shifted right by
// shift_of(bracket).
void narrow(Bracket& bracket, std::span<const std::uint32_t> buckets);
std::uint32_t shift_of(const Bracket& bracket);

}  // namespace cinderscope
