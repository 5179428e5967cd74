// Unsigned numbers of as many bits each as the largest of them needs.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cinderscope {

class NarrowNumbers {
 public:
  NarrowNumbers() = default;
  // `count` zeros, to be replaced by numbers up to `most`.
  NarrowNumbers(std::size_t count, std::uint64_t most)
      : size_(count),
        bits_(static_cast<unsigned>(std::bit_width(most))),
        mask_(bits_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits_) - 1),
        // Two words are read of each number, even where all are 0 and take no bits.
        words_(std::max<std::size_t>((count * bits_ + 63) / 64, 1) + 1, 0) {}
  // These, none of which is more than `most`.
  NarrowNumbers(std::span<const std::uint32_t> numbers, std::uint64_t most)
      : NarrowNumbers(numbers.size(), most) {
    for (std::size_t i = 0; i < numbers.size(); ++i) set(i, numbers[i]);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint64_t operator[](std::size_t i) const {
    const std::size_t bit = i * bits_;
    const std::uint64_t* word = words_.data() + bit / 64;
    const unsigned shift = bit % 64;
    return (word[0] >> shift | word[1] << 1u << (63 - shift)) & mask_;
  }
  // Each once. Different ones from different threads at the same time, while nobody reads.
  void set(std::size_t i, std::uint64_t number) {
    const std::size_t bit = i * bits_;
    const unsigned shift = bit % 64;
    put(bit / 64, number << shift);
    if (shift + bits_ > 64) put(bit / 64 + 1, number >> 1u >> (63 - shift));
  }
  std::size_t kept_bytes() const { return words_.capacity() * sizeof(words_[0]); }

 private:
  void put(std::size_t word, std::uint64_t bits) {
    std::atomic_ref(words_[word]).fetch_or(bits, std::memory_order_relaxed);
  }

  std::size_t size_ = 0;
  unsigned bits_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace cinderscope
