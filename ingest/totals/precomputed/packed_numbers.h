// Numbers of seven bits a byte, the low ones first: most sums are short.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/totals/segment_totals.h"

namespace cinderscope {

__extension__ using WideBits = unsigned __int128;

class PackedNumbers {
 public:
  void add(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void add_wide(WideSum value) {
    auto bits = static_cast<WideBits>(value) << 1;
    if (value < 0) bits = ~bits;
    for (; bits >= 0x80; bits >>= 7) bytes_ += static_cast<char>(static_cast<char>(bits) | '\x80');
    bytes_ += static_cast<char>(bits);
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Never reads beyond the end; ok() is false from there on.
class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t take() {
    const WideBits bits = take_bits();
    if (bits > UINT64_MAX) ok_ = false;
    return static_cast<std::uint64_t>(bits);
  }
  std::uint32_t take_below(std::uint64_t end) {
    const std::uint64_t value = take();
    if (value >= end) ok_ = false;
    return ok_ ? static_cast<std::uint32_t>(value) : 0;
  }
  WideSum take_wide() {
    const WideBits bits = take_bits();
    const auto value = static_cast<WideSum>(bits >> 1);
    return (bits & 1) != 0 ? ~value : value;
  }
  bool done() const { return ok_ && left_.empty(); }
  bool ok() const { return ok_; }

 private:
  // Sums of a hundred bits: many of them can be added.
  WideBits take_bits() {
    WideBits bits = 0;
    for (unsigned shift = 0; ok_ && shift < 98; shift += 7) {
      if (left_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(left_.front());
      left_.remove_prefix(1);
      bits |= static_cast<WideBits>(byte & 0x7f) << shift;
      if (byte < 0x80) return bits;
    }
    ok_ = false;
    return 0;
  }

  std::string_view left_;
  bool ok_ = true;
};

}  // namespace cinderscope
