// Reads the big-endian primitives that Java's DataOutput writes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace cinderscope::lincheck {

// Never reads beyond the end: from there on everything is 0 and cut() is true.
class JavaReader {
 public:
  explicit JavaReader(std::span<const std::byte> bytes, std::uint64_t at = 0)
      : data_(bytes.data()), size_(bytes.size()), at_(at < bytes.size() ? at : bytes.size()) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return size_ - at_; }
  bool cut() const { return cut_; }

  std::uint8_t u8() { return take<std::uint8_t>(); }
  std::int8_t i8() { return static_cast<std::int8_t>(u8()); }
  std::uint16_t u16() { return __builtin_bswap16(take<std::uint16_t>()); }
  std::int16_t i16() { return static_cast<std::int16_t>(u16()); }
  std::int32_t i32() { return static_cast<std::int32_t>(__builtin_bswap32(take<std::uint32_t>())); }
  std::int64_t i64() { return static_cast<std::int64_t>(__builtin_bswap64(take<std::uint64_t>())); }
  float f32() { return std::bit_cast<float>(i32()); }
  double f64() { return std::bit_cast<double>(i64()); }
  bool boolean() { return u8() != 0; }
  // In modified UTF-8, see java_text.h.
  std::string_view utf() { return text(u16()); }

  void skip(std::uint64_t bytes) {
    if (bytes > left()) return fail();
    at_ += bytes;
  }
  void skip_utf() { skip(u16()); }
  // `count` values of `each` bytes; a count below zero is none.
  void skip_all(std::int32_t count, std::uint64_t each) {
    if (count > 0) skip(static_cast<std::uint64_t>(count) * each);
  }

 private:
  static_assert(std::endian::native == std::endian::little);

  template <class T>
  T take() {
    if (left() < sizeof(T)) {
      fail();
      return 0;
    }
    T value;
    std::memcpy(&value, data_ + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string_view text(std::size_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view text(reinterpret_cast<const char*>(data_ + at_), size);
    at_ += size;
    return text;
  }
  void fail() {
    cut_ = true;
    at_ = size_;
  }

  const std::byte* data_;
  std::uint64_t size_, at_;
  bool cut_ = false;
};

}  // namespace cinderscope::lincheck
