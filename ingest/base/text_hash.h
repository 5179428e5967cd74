// A hash of bytes that stays the same from one start of the program to the next (FNV-1a).
#pragma once

#include <cstdint>
#include <string_view>

namespace cinderscope {

inline std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace cinderscope
