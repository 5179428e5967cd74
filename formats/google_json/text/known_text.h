// How earlier events were written: what is the same again is compared in one go, not read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "formats/google_json/google_json_wire.h"
#include "ingest/base/text_bytes.h"

namespace cinderscope::google_json {

// The text between two values, `,"name":` with its blanks, and maybe the value behind it, where
// that comes again and again. In a cache line. 32 bytes of each text it is given must be readable.
class alignas(64) KnownText {
 public:
  // What of it a text begins with.
  struct Found {
    bool gap, all;
  };
  Found find(const char* at) const {
    const std::uint32_t equal = ThirtyTwoBytes(at).equal(ThirtyTwoBytes(text_.data()));
    return {gap_.holds(equal), all_.holds(equal)};
  }
  unsigned gap_bytes() const { return gap_bytes_; }
  unsigned all_bytes() const { return all_bytes_; }  // the byte that ends the value is not counted
  Key key() const { return key_; }
  std::uint32_t key_bit() const { return key_bit_; }

  // The gap goes from `begin` to `value`, whose key is `key`. One of more than 31 bytes is not
  // remembered, but its key is.
  void learn_gap(const char* begin, const char* value, Key key) {
    key_ = key;
    key_bit_ = 1u << index(key);
    gap_ = all_ = {};
    if (value - begin >= kBytes) return;
    std::copy_n(begin, kBytes, text_.begin());
    gap_bytes_ = static_cast<std::uint8_t>(value - begin);
    gap_ = Wanted::first(gap_bytes_);
  }
  // Learns the same gap and the value behind it. A value that is not short is not remembered.
  void learn_value(const char* begin, const char* value, const char* end) {
    all_ = {};
    if (end - begin >= kBytes) return;
    std::copy_n(begin, kBytes, text_.begin());
    gap_bytes_ = static_cast<std::uint8_t>(value - begin);
    all_bytes_ = static_cast<std::uint8_t>(end - begin);
    gap_ = Wanted::first(gap_bytes_);
    all_ = Wanted::first(all_bytes_ + 1u);
  }

 private:
  static constexpr unsigned kBytes = 32;
  // The bytes that have to be equal; a bit each.
  struct Wanted {
    std::uint32_t mask = 0, bits = 1;  // of nothing: never

    static Wanted first(unsigned count) {
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
      return {mask, mask};
    }
    bool holds(std::uint32_t equal) const { return (equal & mask) == bits; }
  };

  std::array<char, kBytes> text_{};
  Wanted gap_, all_;
  std::uint32_t key_bit_ = 0;
  std::uint8_t gap_bytes_ = 0, all_bytes_ = 0;
  Key key_ = Key::other;
};

}  // namespace cinderscope::google_json
