// Unsigned numbers of as many bytes each as the largest of them needs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cinderscope {

class NarrowNumbers {
 public:
  NarrowNumbers() = default;
  // `count` zeros, to be replaced by numbers up to `most`.
  NarrowNumbers(std::size_t count, std::uint64_t most)
      : size_(count),
        width_((static_cast<std::size_t>(std::bit_width(most)) + 7) / 8),
        mask_(width_ == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width_)) - 1) {
    bytes_.resize(size_ * width_ + sizeof(std::uint64_t));  // a whole word is read of the last one
  }

  std::size_t size() const { return size_; }
  std::uint64_t operator[](std::size_t i) const {
    const unsigned char* from = bytes_.data() + i * width_;
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&word, from, sizeof(word));
      return word & mask_;
    }
    for (std::size_t k = width_; k > 0; --k) word = word << 8 | from[k - 1];
    return word;
  }
  // Different ones from different threads at the same time, while nobody reads.
  void set(std::size_t i, std::uint64_t number) {
    unsigned char* to = bytes_.data() + i * width_;
    for (std::size_t k = 0; k < width_; ++k) to[k] = static_cast<unsigned char>(number >> (8 * k));
  }
  std::size_t kept_bytes() const { return bytes_.capacity(); }

 private:
  std::size_t size_ = 0, width_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<unsigned char> bytes_;
};

}  // namespace cinderscope
