// Big-endian primitives into memory, as Java's DataOutput writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cinderscope {

class JavaBytes {
 public:
  void u8(std::uint64_t value) { put(value, 1); }
  void u16(std::uint64_t value) { put(value, 2); }
  void i32(std::int64_t value) { put(static_cast<std::uint64_t>(value), 4); }
  void i64(std::uint64_t value) { put(value, 8); }
  void utf(std::string_view text) {
    u16(text.size());
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
  }
  void integer(std::int64_t value) {
    constexpr std::int32_t kIntTag = -5;  // of a value of the format
    i32(kIntTag);
    i32(value);
  }
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> all() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void put(std::uint64_t value, int size) {
    for (int i = size - 1; i >= 0; --i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

}  // namespace cinderscope
