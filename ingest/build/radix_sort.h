// Sorting by 64-bit keys without comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cinderscope {

// In the order of the signed numbers.
constexpr std::uint64_t ordered_bits(std::int64_t number) {
  return static_cast<std::uint64_t>(number) ^ std::uint64_t{1} << 63;
}

// Entries of equal keys keep their order. Takes as many passes as the keys' differing bits need,
// eleven at a time, and as much memory again; few entries are compared instead.
template <class Entry, class KeyOf>
void radix_sort(std::vector<Entry>& entries, KeyOf key_of) {
  constexpr std::size_t kFew = 1024;
  constexpr int kBits = 11;
  const auto before = [&](const Entry& a, const Entry& b) { return key_of(a) < key_of(b); };
  if (std::is_sorted(entries.begin(), entries.end(), before)) return;
  if (entries.size() < kFew) {
    std::stable_sort(entries.begin(), entries.end(), before);
    return;
  }
  std::uint64_t differing = 0;
  const std::uint64_t first_key = key_of(entries.front());
  for (const Entry& entry : entries) differing |= key_of(entry) ^ first_key;
  std::vector<Entry> sorted(entries.size());
  std::array<std::size_t, std::size_t{1} << kBits> next;
  const int end = static_cast<int>(std::bit_width(differing));
  for (int shift = std::countr_zero(differing); shift < end; shift += kBits) {
    const auto digit = [&](const Entry& entry) {
      return static_cast<std::size_t>(key_of(entry) >> shift & (next.size() - 1));
    };
    next.fill(0);
    for (const Entry& entry : entries) ++next[digit(entry)];
    std::size_t begin = 0;
    for (std::size_t& each : next) begin += std::exchange(each, begin);
    for (const Entry& entry : entries) sorted[next[digit(entry)]++] = entry;
    std::swap(entries, sorted);
  }
}

}  // namespace cinderscope
