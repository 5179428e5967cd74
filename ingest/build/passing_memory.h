// Memory that is needed only while a trace is loaded: let go of as soon as that can be.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace cinderscope {

// `value = {}` would do for a struct, but a vector or a map takes the braces for an empty list of
// elements and keeps the room that it has, and a string keeps it even if an empty one is moved
// there.
template <class T>
void release(T& value) {
  T gone{};
  std::swap(value, gone);
}

// A list of plain data for millions that wait to be sorted: packed while they wait, each as what
// differs from the one before, in pieces that are never moved.
template <class T>
class PieceList {
 public:
  void push_back(const T& value) {
    const auto words = std::bit_cast<Words>(value);
    if (pieces_.empty() || pieces_.back().room_bytes - pieces_.back().used_bytes < kMostPacked) {
      add_piece();
    }
    Piece& piece = pieces_.back();
    std::uint8_t* const changed = piece.bytes.get() + piece.used_bytes;
    std::uint8_t* to = changed + 1;
    unsigned mask = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint32_t difference = words[i] - last_[i];
      if (difference == 0) continue;
      mask |= 1u << i;
      to = put(to, difference);
    }
    *changed = static_cast<std::uint8_t>(mask);
    piece.used_bytes = static_cast<std::size_t>(to - piece.bytes.get());
    last_ = words;
    ++size_;
  }
  std::size_t size() const { return size_; }

  // All of them, one behind the other. Each piece goes as soon as it is unpacked.
  std::vector<T> take() {
    std::vector<T> all;
    all.reserve(std::exchange(size_, 0));
    Words words{};
    for (Piece& piece : pieces_) {
      const std::uint8_t* from = piece.bytes.get();
      const std::uint8_t* const end = from + piece.used_bytes;
      while (from != end) {
        const unsigned mask = *from++;
        for (std::size_t i = 0; i < kWords; ++i) {
          if ((mask >> i & 1u) != 0) from = get(from, words[i]);
        }
        all.push_back(std::bit_cast<T>(words));
      }
      release(piece);
    }
    release(pieces_);
    last_ = {};
    return all;
  }

 private:
  static constexpr std::size_t kWords = sizeof(T) / sizeof(std::uint32_t);
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == kWords * sizeof(std::uint32_t) &&
                kWords <= 8);
  using Words = std::array<std::uint32_t, kWords>;
  struct Piece {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t used_bytes = 0, room_bytes = 0;
  };
  static constexpr std::size_t kMostPacked = 1 + 5 * kWords;
  static constexpr std::size_t kSmallestPiece = 16 * kMostPacked, kLargestPiece = 1u << 20;

  void add_piece() {
    const std::size_t bytes = std::clamp(size_ * sizeof(T), kSmallestPiece, kLargestPiece);
    pieces_.push_back({std::make_unique_for_overwrite<std::uint8_t[]>(bytes), 0, bytes});
  }

  // Seven bits a byte, near zero in both directions first.
  static std::uint8_t* put(std::uint8_t* to, std::uint32_t difference) {
    std::uint32_t left = difference << 1 ^ (0u - (difference >> 31));
    for (; left >= 0x80; left >>= 7) *to++ = static_cast<std::uint8_t>(left | 0x80);
    *to++ = static_cast<std::uint8_t>(left);
    return to;
  }
  static const std::uint8_t* get(const std::uint8_t* from, std::uint32_t& word) {
    std::uint32_t folded = 0;
    for (unsigned shift = 0;; shift += 7) {
      folded |= (*from & 0x7Fu) << shift;
      if (*from++ < 0x80) break;
    }
    word += folded >> 1 ^ (0u - (folded & 1));
    return from;
  }

  std::vector<Piece> pieces_;
  Words last_{};
  std::size_t size_ = 0;
};

}  // namespace cinderscope
