#include "ingest/model/columns/mostly_narrow_numbers.h"

#include <algorithm>

namespace cinderscope {

MostlyNarrowNumbers::MostlyNarrowNumbers(const Lengths& lengths) {
  constexpr std::size_t kFarBits = 8 * (sizeof(far_[0]) + sizeof(far_index_[0]));
  std::size_t count = 0;
  for (const std::size_t each : lengths) count += each;
  std::size_t bits = 64, longer = 0, best_bits = SIZE_MAX, far = 0;
  for (std::size_t tried = 65; tried-- > 0;) {
    const std::size_t all_bits = count * tried + longer * kFarBits;
    if (all_bits <= best_bits) {
      best_bits = all_bits;
      bits = tried;
      far = longer;
    }
    longer += lengths[tried];
  }
  all_ones_ = bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
  narrow_ = NarrowNumbers(count, all_ones_);
  far_.reserve(far);
  far_index_.reserve(far);
}

void MostlyNarrowNumbers::add(std::uint64_t number) {
  narrow_.set(next_, std::min(number, all_ones_));
  if (number >= all_ones_ && far_.size() < far_.capacity()) {
    far_index_.push_back(static_cast<std::uint32_t>(next_));
    far_.push_back(number);
  }
  ++next_;
}

std::uint64_t MostlyNarrowNumbers::far_or(std::size_t i, std::uint64_t number) const {
  const auto at = std::ranges::lower_bound(far_index_, i);
  return at != far_index_.end() && *at == i
             ? far_[static_cast<std::size_t>(at - far_index_.begin())]
             : number;
}

}  // namespace cinderscope
