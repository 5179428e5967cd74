// Reads UTF-8 character by character and replaces bytes that are invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cinderscope {

// The same bytes as text; valid or not.
inline std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Utf8Char {
  char32_t code = 0;
  std::uint32_t size = 0;  // bytes it takes; 0 at the end of the text
  bool valid = true;       // false: one byte that is no UTF-8, code is U+FFFD
};

// The character at the head of `text`. Overlong forms, surrogates and values past U+10FFFF are
// invalid.
Utf8Char first_char(std::string_view text);

// `code`, a Unicode scalar value, as one to four bytes.
void append_utf8(std::string& out, std::uint32_t code);

// `text` with U+FFFD for each byte that is no UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace cinderscope
