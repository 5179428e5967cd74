#include "ingest/model/columns/packed_column.h"

#include <algorithm>
#include <cassert>

namespace cinderscope {

std::size_t PackedColumn::byte_count(std::size_t count) const {
  if (width >= kBits) return (count * (width - kBits) + 7) / 8;
  if (width < kFar) return count * width;
  return count * (width - kFar) + std::size_t{far_count} * (kNumberBytes + far_width);
}

std::uint32_t PackedColumn::first_far_from(std::uint32_t i) const {
  std::uint32_t first = 0, last = far_count;
  while (first < last) {
    const std::uint32_t middle = (first + last) / 2;
    if (far_number(middle) < i) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

std::uint64_t PackedColumn::narrow_or_far(std::uint32_t i) const {
  const PackedColumn narrow_values = narrow();
  assert(narrow_values.width < sizeof(std::uint64_t));
  const std::uint64_t value = narrow_values.at(i);
  const std::uint64_t all_ones = (std::uint64_t{1} << 8u * narrow_values.width) - 1;
  const std::uint64_t in_list = all_ones - (value - base);
  return in_list < far_count ? base + far_value(in_list) : value;
}

std::uint64_t PackedColumn::load_bits(std::uint32_t i) const {
  const std::uint32_t bits = width - kBits;
  const std::uint64_t bit = std::uint64_t{i} * bits;
  // The last eight bytes hold all that is left: nothing behind them is read.
  const std::uint64_t from = std::min<std::uint64_t>(bit / 8, value_bytes - sizeof(std::uint64_t));
  std::uint64_t word;
  std::memcpy(&word, data + from, sizeof(word));
  return word >> (bit - 8 * from) & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace cinderscope
