// A set of depths that finds its largest member below a limit at once, however deep calls nest.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace cinderscope {

// A tree of words: a bit of one level tells whether the word below it has any bit set.
class DepthSet {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  void insert(std::uint32_t depth) {
    for (std::vector<std::uint64_t>& level : levels_) {
      const std::size_t word = depth >> kWordBits;
      if (word >= level.size()) level.resize(word + 1 + word / 2);
      const std::uint64_t before = level[word];
      level[word] = before | std::uint64_t{1} << (depth & kBitMask);
      if (before != 0) return;  // those above know of this word
      depth >>= kWordBits;
    }
  }

  void erase(std::uint32_t depth) {
    for (std::vector<std::uint64_t>& level : levels_) {
      const std::size_t word = depth >> kWordBits;
      if (word >= level.size()) return;
      level[word] &= ~(std::uint64_t{1} << (depth & kBitMask));
      if (level[word] != 0) return;
      depth >>= kWordBits;
    }
  }

  // kNone if there is none.
  std::uint32_t last_below(std::uint64_t limit) const {
    for (std::size_t k = 0; k < levels_.size() && limit > 0; ++k) {
      limit = std::min<std::uint64_t>(limit, levels_[k].size() << kWordBits);
      const std::size_t word = limit >> kWordBits;
      if (word < levels_[k].size()) {
        const std::uint64_t below = (std::uint64_t{1} << (limit & kBitMask)) - 1;
        const std::uint64_t bits = levels_[k][word] & below;
        if (bits != 0) return down(k, word << kWordBits | highest(bits));
      }
      limit = word;
    }
    return kNone;
  }
  std::uint32_t last() const { return last_below(std::uint64_t{1} << 32); }

 private:
  static constexpr std::uint32_t kWordBits = 6, kBitMask = 63;

  static std::size_t highest(std::uint64_t bits) {
    return static_cast<std::size_t>(std::bit_width(bits) - 1);
  }
  std::uint32_t down(std::size_t k, std::size_t found) const {
    while (k-- > 0) found = found << kWordBits | highest(levels_[k][found]);
    return static_cast<std::uint32_t>(found);
  }

  std::array<std::vector<std::uint64_t>, 6> levels_;  // 64^6 exceeds every depth
};

}  // namespace cinderscope
