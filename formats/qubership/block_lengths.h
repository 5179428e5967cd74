// Takes the lengths of blocks out of a stream that has them, whatever pieces it comes in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/qubership/qubership_wire.h"

namespace cinderscope::qubership {

// Block limits have no other meaning, and the four bytes of a length may be split as well.
class BlockLengths {
 public:
  // Passes what lies within the blocks to `sink`, as parts of `bytes`. False from the first length
  // on that cannot be right.
  template <class Sink>
  bool take(std::span<const std::byte> bytes, Sink&& sink) {
    while (!bytes.empty() && !damaged_) {
      if (left_bytes_ > 0) {
        const auto part = bytes.first(std::min<std::size_t>(left_bytes_, bytes.size()));
        bytes = bytes.subspan(part.size());
        left_bytes_ -= static_cast<std::uint32_t>(part.size());
        at_ += part.size();
        sink(part);
        continue;
      }
      length_ = length_ << 8 | std::to_integer<std::uint32_t>(bytes.front());
      bytes = bytes.subspan(1);
      ++at_;
      if (++length_bytes_ < kLengthBytes) continue;
      damaged_ = length_ > kMostBlockBytes;
      left_bytes_ = damaged_ ? 0 : length_;
      length_bytes_ = length_ = 0;
    }
    return !damaged_;
  }

  bool damaged() const { return damaged_; }
  bool within_length() const { return length_bytes_ > 0; }
  // Where the length begins that cannot be right, or that is not complete.
  std::uint64_t length_at() const { return at_ - (damaged_ ? kLengthBytes : length_bytes_); }

 private:
  static constexpr std::uint32_t kLengthBytes = 4;
  std::uint64_t at_ = 0;
  std::uint32_t left_bytes_ = 0;                 // of the block
  std::uint32_t length_ = 0, length_bytes_ = 0;  // of the next length, as far as it came
  bool damaged_ = false;
};

}  // namespace cinderscope::qubership
