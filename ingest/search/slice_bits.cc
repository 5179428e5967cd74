#include "ingest/search/slice_bits.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cinderscope {

namespace {

constexpr std::uint32_t kFewIds = 4;                  // are compared one by one
constexpr std::uint32_t kFewSlices = 64;              // are looked at one by one
using Hits = std::array<std::uint8_t, kChunkSlices>;  // 1: the slice is wanted

// Eight bytes of 0 or 1 at a time become bits; the same words, added up, tell how many there are.
std::uint32_t pack(const Hits& hits, std::uint32_t count, ChunkBits& bits) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t sums = 0;  // of each byte's place, at most kChunkSlices / 8
  for (std::uint32_t first = 0; first < kChunkSlices; first += 64) {
    std::uint64_t word = 0;
    if (first < count) {
      for (std::uint32_t i = 0; i < 8; ++i) {
        std::uint64_t eight;
        std::memcpy(&eight, hits.data() + first + std::size_t{8} * i, sizeof(eight));
        sums += eight;
        word |= (eight * 0x0102040810204080u >> 56) << 8 * i;
      }
    }
    bits[first / 64] = word;
  }
  const std::uint64_t pairs = (sums & 0x00ff00ff00ff00ffu) + (sums >> 8 & 0x00ff00ff00ff00ffu);
  return static_cast<std::uint32_t>(pairs * 0x0001000100010001u >> 48);
}

template <class T>
T value_at(const std::byte* data, std::uint32_t i) {
  T value;
  std::memcpy(&value, data + std::size_t{i} * sizeof(T), sizeof(T));
  return value;
}

// Loops without branches, so that the compiler makes them wide. What lies behind `count` is no hit.
template <class T>
std::uint32_t mark_as(const PackedColumn& names, std::uint32_t count, const NameMask& mask,
                      ChunkBits& bits) {
  const std::span<const std::uint32_t> ids = mask.within(names.base, sizeof(T));
  if (ids.empty()) return 0;
  Hits hits;
  const std::byte* data = names.data;
  if (ids.size() <= kFewIds) {
    std::array<T, kFewIds> wanted;
    for (std::uint32_t i = 0; i < kFewIds; ++i) {
      wanted[i] = static_cast<T>(ids[std::min<std::size_t>(i, ids.size() - 1)] - names.base);
    }
    if (ids.size() == 1) {
      for (std::uint32_t i = 0; i < count; ++i) hits[i] = value_at<T>(data, i) == wanted[0];
    } else {
      for (std::uint32_t i = 0; i < count; ++i) {
        const T value = value_at<T>(data, i);
        std::uint8_t hit = 0;
        for (const T id : wanted) hit |= static_cast<std::uint8_t>(value == id);
        hits[i] = hit;
      }
    }
  } else {
    const std::span<const std::uint8_t> holds = mask.table(names.base, sizeof(T));
    for (std::uint32_t i = 0; i < count; ++i) {
      const T value = value_at<T>(data, i);
      // Narrow values cannot leave the table.
      hits[i] = sizeof(T) <= 2 || value < holds.size() ? holds[value] : 0;
    }
  }
  std::fill(hits.begin() + count, hits.begin() + ((std::size_t{count} + 63) / 64 * 64), 0);
  return pack(hits, count, bits);
}

}  // namespace

ChunkBits all_bits(std::uint32_t count) {
  ChunkBits bits{};
  for (std::uint32_t word = 0; word * 64 < count; ++word) {
    const std::uint32_t left = count - word * 64;
    bits[word] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  return bits;
}

std::uint32_t count_bits(const ChunkBits& bits) {
  std::uint32_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::uint32_t>(std::popcount(word));
  return count;
}

std::uint32_t mark_names(const SliceChunk& chunk, const NameMask& mask, ChunkBits& bits) {
  const PackedColumn& names = chunk.names();
  const std::uint32_t count = chunk.count();
  switch (mask.all() ? 0 : names.width) {
    case 1:
      return mark_as<std::uint8_t>(names, count, mask, bits);
    case 2:
      return mark_as<std::uint16_t>(names, count, mask, bits);
    case 4:
      return mark_as<std::uint32_t>(names, count, mask, bits);
    case 8:
      return mark_as<std::uint64_t>(names, count, mask, bits);
    default:
      if (!mask.all() && !mask.holds(names.base)) return 0;
      bits = all_bits(count);
      return count;
  }
}

void keep_between(std::uint32_t first, std::uint32_t end, ChunkBits& bits) {
  const ChunkBits before = all_bits(first), wanted = all_bits(end);
  for (std::uint32_t word = 0; word < bits.size(); ++word) {
    bits[word] &= wanted[word] & ~before[word];
  }
}

void keep_runs(std::span<const SliceRun> runs, std::uint64_t first, ChunkBits& bits) {
  const std::uint64_t end = first + kChunkSlices;
  ChunkBits wanted{};
  auto run = std::partition_point(runs.begin(), runs.end(),
                                  [first](const SliceRun& each) { return each.end <= first; });
  for (; run != runs.end() && run->first < end; ++run) {
    const auto from = static_cast<std::uint32_t>(std::max(run->first, first) - first);
    const auto to = static_cast<std::uint32_t>(std::min(run->end, end) - first);
    const ChunkBits before = all_bits(from), until = all_bits(to);
    for (std::uint32_t word = 0; word < bits.size(); ++word) {
      wanted[word] |= until[word] & ~before[word];
    }
  }
  for (std::uint32_t word = 0; word < bits.size(); ++word) bits[word] &= wanted[word];
}

void keep_durations(const SliceChunk& chunk, const TimeBounds& wanted, bool negated,
                    ChunkBits& bits) {
  if (count_bits(bits) <= kFewSlices) {
    for (std::uint32_t word = 0; word < bits.size(); ++word) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (wanted.holds(chunk.duration_ns(word * 64 + k)) != negated) continue;
        bits[word] &= ~(std::uint64_t{1} << k);
      }
    }
    return;
  }
  const std::uint32_t count = chunk.count();
  std::array<std::int64_t, kChunkSlices> durations;
  chunk.read_durations(0, {durations.data(), count});
  Hits hits{};
  const std::uint8_t turned = negated ? 1 : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto long_enough = static_cast<std::uint8_t>(durations[i] >= wanted.first_ns);
    const auto short_enough = static_cast<std::uint8_t>(durations[i] <= wanted.last_ns);
    hits[i] = static_cast<std::uint8_t>((long_enough & short_enough) ^ turned);
  }
  ChunkBits kept;
  pack(hits, count, kept);
  for (std::uint32_t word = 0; word < bits.size(); ++word) bits[word] &= kept[word];
}

}  // namespace cinderscope
