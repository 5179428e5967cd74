// Reads the primitives of Qubership's streams, big-endian, without ever leaving the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cinderscope::qubership {

// A string as it is stored: UTF-16 units, big-endian.
struct WireText {
  std::span<const std::byte> units;
};

// Once something does not fit, `cut()` holds and all that is read is zero or empty.
class WireCursor {
 public:
  explicit WireCursor(std::span<const std::byte> bytes, std::uint64_t at = 0)
      : begin_(reinterpret_cast<const std::uint8_t*>(bytes.data())),
        next_(begin_ + (at < bytes.size() ? at : bytes.size())),
        end_(begin_ + bytes.size()) {}

  std::uint64_t at() const { return static_cast<std::uint64_t>(next_ - begin_); }
  std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - next_); }
  bool cut() const { return cut_; }
  bool at_end() const { return cut_ || next_ == end_; }

  std::uint8_t u8() {
    if (next_ == end_) [[unlikely]]
      return static_cast<std::uint8_t>(fail());
    return *next_++;
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(fixed(4)); }
  std::int64_t i64() { return static_cast<std::int64_t>(fixed(8)); }

  // Seven bits a byte, least significant first; the fifth byte is the last.
  std::uint32_t varint32() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (next_ == end_) [[unlikely]]
        return static_cast<std::uint32_t>(fail());
      const std::uint32_t byte = *next_++;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::int32_t zigzag32() {
    const std::uint32_t u = varint32();
    return static_cast<std::int32_t>((u >> 1) ^ (0 - (u & 1)));
  }
  // Five bytes at most as above, then the bits from 35 on as a varint32.
  std::int64_t varint64() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint64_t byte = u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return static_cast<std::int64_t>(value);
    }
    return static_cast<std::int64_t>(value | std::uint64_t{varint32()} << 35);
  }

  WireText text() {
    const std::uint64_t size_bytes = std::uint64_t{varint32()} * 2;
    return {take(size_bytes)};
  }
  std::span<const std::byte> take(std::uint64_t size_bytes) {
    if (cut_ || left() < size_bytes) {
      fail();
      return {};
    }
    const auto* from = reinterpret_cast<const std::byte*>(next_);
    next_ += size_bytes;
    return {from, static_cast<std::size_t>(size_bytes)};
  }
  void skip(std::uint64_t size_bytes) { static_cast<void>(take(size_bytes)); }

 private:
  int fail() {
    cut_ = true;
    next_ = end_;
    return 0;
  }
  std::uint64_t fixed(unsigned size_bytes) {
    if (left() < size_bytes) return static_cast<std::uint64_t>(fail());
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size_bytes; ++i) value = value << 8 | *next_++;
    return value;
  }

  const std::uint8_t* begin_;
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  bool cut_ = false;
};

}  // namespace cinderscope::qubership
