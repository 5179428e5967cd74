// Which of the numbers from 0 on are marked, and how many before a number are not.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cinderscope {

// A bit each, and a count for every 512 of them.
class MarkedNumbers {
 public:
  MarkedNumbers() = default;  // none is marked
  explicit MarkedNumbers(std::size_t count) : words_((count + 63) / 64, 0) {}

  // Different ones from different threads at the same time, while nobody asks.
  void mark(std::size_t i) {
    std::atomic_ref(words_[i / 64]).fetch_or(std::uint64_t{1} << i % 64, std::memory_order_relaxed);
  }
  // Once all are marked, before anybody asks how many. The numbers marked, of fewer than 2^32.
  std::size_t count() {
    marked_before_.clear();
    marked_before_.reserve((words_.size() + kWords - 1) / kWords);
    std::uint32_t marked = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i % kWords == 0) marked_before_.push_back(marked);
      marked += static_cast<std::uint32_t>(std::popcount(words_[i]));
    }
    return marked;
  }
  bool is_marked(std::size_t i) const {
    return !words_.empty() && (words_[i / 64] >> i % 64 & 1) != 0;
  }
  std::size_t unmarked_before(std::size_t i) const {
    if (words_.empty()) return i;
    std::size_t marked = marked_before_[i / 64 / kWords];
    for (std::size_t word = i / 64 / kWords * kWords; word < i / 64; ++word) {
      marked += static_cast<std::size_t>(std::popcount(words_[word]));
    }
    const std::uint64_t before = words_[i / 64] & ((std::uint64_t{1} << i % 64) - 1);
    return i - marked - static_cast<std::size_t>(std::popcount(before));
  }
  std::size_t kept_bytes() const {
    return words_.capacity() * sizeof(words_[0]) +
           marked_before_.capacity() * sizeof(marked_before_[0]);
  }

 private:
  static constexpr std::size_t kWords = 8;  // that share a count

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> marked_before_;
};

}  // namespace cinderscope
