// Unsigned numbers of which most need fewer bits than the largest: the few others are kept apart.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/model/columns/narrow_numbers.h"

namespace cinderscope {

class MostlyNarrowNumbers {
 public:
  // How many numbers need how many bits, by bits_of().
  using Lengths = std::array<std::size_t, 65>;
  // By one more than the number itself: all ones say that it is apart.
  static std::size_t bits_of(std::uint64_t number) {
    return number == UINT64_MAX ? 64 : static_cast<std::size_t>(std::bit_width(number + 1));
  }

  MostlyNarrowNumbers() = default;
  // For numbers of these lengths, to be added.
  explicit MostlyNarrowNumbers(const Lengths& lengths);
  void add(std::uint64_t number);

  std::uint64_t operator[](std::size_t i) const {
    const std::uint64_t number = narrow_[i];
    return number == all_ones_ && !far_.empty() ? far_or(i, number) : number;
  }
  std::size_t size() const { return narrow_.size(); }
  std::size_t kept_bytes() const {
    return narrow_.kept_bytes() + far_.capacity() * sizeof(far_[0]) +
           far_index_.capacity() * sizeof(far_index_[0]);
  }

 private:
  std::uint64_t far_or(std::size_t i, std::uint64_t number) const;

  NarrowNumbers narrow_;
  std::uint64_t all_ones_ = 0;
  std::size_t next_ = 0;
  std::vector<std::uint32_t> far_index_;  // sorted
  std::vector<std::uint64_t> far_;
};

}  // namespace cinderscope
