// Texts of stacks, a word at a time: names are too short for calls of the library to be worth it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cinderscope::collapsed {

inline std::uint64_t stack_word(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof(word));
  return word;
}

// Where the frame ends that begins at `begin`: the next `;`, or the end of the stack.
inline std::size_t frame_end(std::string_view stack, std::size_t begin) {
  std::size_t at = begin;
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighBits = 0x8080808080808080u;
    for (; at + 8 <= stack.size(); at += 8) {
      // Bytes that are `;` become 0, and the lowest 0 is the first that borrows from its high bit.
      const std::uint64_t word = stack_word(stack, at) ^ (kOnes * static_cast<unsigned char>(';'));
      const std::uint64_t found = (word - kOnes) & ~word & kHighBits;
      if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (at < stack.size() && stack[at] != ';') ++at;
  return at;
}

// How many bytes at the begin of both are equal.
inline std::size_t shared_length(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at + 8 <= most && stack_word(a, at) == stack_word(b, at)) at += 8;
  while (at < most && a[at] == b[at]) ++at;
  return at;
}

}  // namespace cinderscope::collapsed
