// The fields of a protobuf message, one after another.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>
#include <string_view>

namespace cinderscope::perfetto {

// A field by its number and how it is written, as one number to switch over: what has a known
// number but another wire type is unknown, too.
constexpr std::uint64_t number_field(std::uint32_t number) {
  return std::uint64_t{number} << 3;
}
constexpr std::uint64_t fixed64_field(std::uint32_t number) {
  return std::uint64_t{number} << 3 | 1;
}
constexpr std::uint64_t bytes_field(std::uint32_t number) {
  return std::uint64_t{number} << 3 | 2;
}
constexpr std::uint64_t fixed32_field(std::uint32_t number) {
  return std::uint64_t{number} << 3 | 5;
}

inline constexpr std::uint64_t kLastFieldNumber = (std::uint64_t{1} << 29) - 1;

[[gnu::noinline]] inline bool read_long_varint(const char*& at, const char* end,
                                               std::uint64_t& value) {
  try {
    value = protozero::decode_varint(&at, end);
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

// A varint of three to eight bytes that lie whole in `word`, the lowest first; the byte that ends
// it is the first one whose high bit is not in `ends`. No branch: how long times are is not
// foreseen.
[[gnu::always_inline]] inline std::uint64_t joined_sevens(std::uint64_t word, std::uint64_t ends) {
  word &= ends ^ (ends - 1);  // up to the end's high bit, which is 0
  word &= 0x7f7f7f7f7f7f7f7fu;
  word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
  word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
  return (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
}

// Reads a varint at `at`; false if it does not end before `end`, or is longer than ten bytes.
// Inline up to eight bytes, which nearly all have: half of what loading a trace does is this.
[[gnu::always_inline]] inline bool read_varint(const char*& at, const char* end,
                                               std::uint64_t& value) {
  if (at == end) return false;
  const auto first = static_cast<unsigned char>(*at);
  if (first < 0x80) [[likely]] {
    value = first;
    ++at;
    return true;
  }
  if (end - at > 1 && static_cast<unsigned char>(at[1]) < 0x80) {
    value = (first & 0x7fu) | std::uint64_t{static_cast<unsigned char>(at[1])} << 7;
    at += 2;
    return true;
  }
  if constexpr (std::endian::native == std::endian::little) {
    if (end - at >= 8) [[likely]] {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof(word));
      const std::uint64_t ends = ~word & 0x8080808080808080u;
      if (ends != 0) [[likely]] {
        value = joined_sevens(word, ends);
        at += std::countr_zero(ends) / 8 + 1;
        return true;
      }
    }
  }
  return read_long_varint(at, end, value);
}

// Lengths have 64 bits, unlike protozero's own reader of messages, and damage is no exception.
class FieldReader {
 public:
  FieldReader() = default;
  explicit FieldReader(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  // False at the end, and at the first byte that is no field.
  [[gnu::always_inline]] bool next() {
    if (at_ == end_) return false;
    std::uint64_t tag = 0;
    field_begin_ = at_;
    if (!read_varint(at_, end_, tag) || tag >> 3 == 0 || tag >> 3 > kLastFieldNumber) return fail();
    key_ = tag;
    switch (tag & 7) {
      case 0:
        return read_varint(at_, end_, number_) || fail();
      case 1:
        return read_fixed(8);
      case 2: {
        std::uint64_t length = 0;
        if (!read_varint(at_, end_, length) || length > left()) return fail();
        bytes_ = {at_, static_cast<std::size_t>(length)};
        at_ += length;
        return true;
      }
      case 5:
        return read_fixed(4);
      default:
        return fail();
    }
  }

  std::uint64_t key() const { return key_; }
  std::uint32_t number_of_field() const { return static_cast<std::uint32_t>(key_ >> 3); }
  bool is_bytes() const { return (key_ & 7) == 2; }
  // Of a varint, or of fixed bytes.
  std::uint64_t number() const { return number_; }
  std::int64_t signed_number() const { return static_cast<std::int64_t>(number_); }
  double as_double() const { return std::bit_cast<double>(number_); }
  std::string_view bytes() const { return bytes_; }
  // Where the field's tag lies.
  const char* begin() const { return field_begin_; }
  bool damaged() const { return damaged_; }

 private:
  std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - at_); }
  bool fail() {
    damaged_ = true;
    at_ = end_;
    return false;
  }
  bool read_fixed(unsigned size) {
    if (left() < size) return fail();
    number_ = 0;
    for (unsigned i = 0; i < size; ++i) {
      number_ |= std::uint64_t{static_cast<unsigned char>(at_[i])} << (8 * i);
    }
    at_ += size;
    return true;
  }

  const char *at_ = nullptr, *end_ = nullptr, *field_begin_ = nullptr;
  std::uint64_t key_ = 0, number_ = 0;
  std::string_view bytes_;
  bool damaged_ = false;
};

// Calls `take(number)` for each number of a repeated field, which is written one by one or packed.
template <class Take>
void each_number(const FieldReader& field, Take take) {
  if (!field.is_bytes()) return take(field.number());
  const char* at = field.bytes().data();
  const char* const end = at + field.bytes().size();
  std::uint64_t value = 0;
  while (at != end && read_varint(at, end, value)) take(value);
}

// The same for numbers of eight bytes.
template <class Take>
void each_fixed64(const FieldReader& field, Take take) {
  if (!field.is_bytes()) return take(field.number());
  const std::string_view bytes = field.bytes();
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    }
    take(value);
  }
}

}  // namespace cinderscope::perfetto
