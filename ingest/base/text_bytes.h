// What kind of bytes a piece of text has, 16 or 32 at a time, as bits: bit i is the i-th byte's.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace cinderscope {

#ifdef __SSE2__

class SixteenBytes {
 public:
  explicit SixteenBytes(const char* text)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text))) {}

  std::uint32_t equal(char c) const { return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c))); }
  std::uint32_t equal(char a, char b) const {
    return bits(_mm_or_si128(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(a)),
                             _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(b))));
  }
  std::uint32_t equal(const SixteenBytes& other) const {
    return bits(_mm_cmpeq_epi8(bytes_, other.bytes_));
  }
  std::uint32_t digits() const {
    const __m128i value = _mm_sub_epi8(bytes_, _mm_set1_epi8('0'));
    return bits(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
  }

 private:
  static std::uint32_t bits(__m128i mask) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(mask));
  }
  __m128i bytes_;
};

#else

class SixteenBytes {
 public:
  explicit SixteenBytes(const char* text) { std::memcpy(bytes_, text, sizeof bytes_); }

  std::uint32_t equal(char c) const {
    return bits([&](unsigned i) { return bytes_[i] == c; });
  }
  std::uint32_t equal(char a, char b) const { return equal(a) | equal(b); }
  std::uint32_t equal(const SixteenBytes& other) const {
    return bits([&](unsigned i) { return bytes_[i] == other.bytes_[i]; });
  }
  std::uint32_t digits() const {
    return bits([&](unsigned i) { return bytes_[i] >= '0' && bytes_[i] <= '9'; });
  }

 private:
  template <class Test>
  static std::uint32_t bits(Test test) {
    std::uint32_t made = 0;
    for (unsigned i = 0; i < 16; ++i) made |= (test(i) ? 1u : 0u) << i;
    return made;
  }
  char bytes_[16];
};

#endif

struct ThirtyTwoBytes {
  explicit ThirtyTwoBytes(const char* text) : low(text), high(text + 16) {}

  std::uint32_t equal(char c) const { return low.equal(c) | high.equal(c) << 16; }
  std::uint32_t equal(char a, char b) const { return low.equal(a, b) | high.equal(a, b) << 16; }
  std::uint32_t equal(const ThirtyTwoBytes& other) const {
    return low.equal(other.low) | high.equal(other.high) << 16;
  }
  std::uint32_t digits() const { return low.digits() | high.digits() << 16; }

  SixteenBytes low, high;
};

// The first `count` bytes as a number, the first one lowest, with zeros for the rest; 0 to 8. Eight
// must be readable.
inline std::uint64_t word_of(const char* text, std::size_t count) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, text, 8);
    return count == 0 ? 0 : word << (64 - 8 * count) >> (64 - 8 * count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  }
  return word;
}

// Short texts without a branch that depends on their length: up to 32 bytes, and 32 must be
// readable whatever the size is.
inline constexpr std::size_t kShortText = 32;

inline bool short_texts_equal(const char* a, const char* b, std::size_t size) {
  const std::uint64_t differing = ~ThirtyTwoBytes(a).equal(ThirtyTwoBytes(b));
  return (differing & ((std::uint64_t{1} << size) - 1)) == 0;
}

// Not stable over machines or versions.
inline std::uint32_t short_text_hash(const char* text, std::size_t size) {
  static constexpr std::array<unsigned char, 2 * kShortText> kKeep = [] {
    std::array<unsigned char, 2 * kShortText> keep{};
    for (std::size_t i = 0; i < kShortText; ++i) keep[i] = 0xff;
    return keep;
  }();
  const unsigned char* const keep = kKeep.data() + kShortText - size;
  const auto word = [&](std::size_t at) {
    std::uint64_t bytes, kept;
    std::memcpy(&bytes, text + at, 8);
    std::memcpy(&kept, keep + at, 8);
    return bytes & kept;
  };
  std::uint64_t mixed = word(0) * 0x9e3779b97f4a7c15u ^ word(8) * 0xc2b2ae3d27d4eb4fu ^
                        word(16) * 0x165667b19e3779f9u ^ word(24) * 0x27d4eb2f165667c5u;
  mixed ^= mixed >> 32;
  return static_cast<std::uint32_t>((mixed * 0x9e3779b97f4a7c15u) >> 32);
}

// Looked for in the fastest way that the system has: see ingest/os.
bool contains_bytes(std::string_view bytes, std::string_view wanted);

}  // namespace cinderscope
