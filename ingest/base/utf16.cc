#include "ingest/base/utf16.h"

#include <cstddef>

#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr char32_t kReplacement = 0xfffd;

constexpr bool is_high_surrogate(char32_t code) {
  return code >= 0xd800 && code < 0xdc00;
}
constexpr bool is_low_surrogate(char32_t code) {
  return code >= 0xdc00 && code < 0xe000;
}
constexpr char32_t joined(char32_t high, char32_t low) {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

// The surrogate at the head of text that utf8_of_utf16() made; 0: there is none.
char16_t lone_surrogate(std::string_view utf8) {
  if (utf8.size() < 3 || utf8[0] != '\xed') return 0;
  const auto second = static_cast<unsigned char>(utf8[1]),
             third = static_cast<unsigned char>(utf8[2]);
  if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) return 0;
  return static_cast<char16_t>(0xd000 | (second & 0x3f) << 6 | (third & 0x3f));
}

}  // namespace

std::optional<std::string> utf8_from_utf16(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const bool little = bytes.starts_with("\xff\xfe");
  if (!little && !bytes.starts_with("\xfe\xff")) return std::nullopt;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(little ? first | second << 8 : first << 8 | second);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const char32_t code = unit(i);
    if (is_high_surrogate(code) && i + 3 < bytes.size() && is_low_surrogate(unit(i + 2))) {
      append_utf8(out, joined(code, unit(i + 2)));
      i += 2;
    } else {
      append_utf8(out, code >= 0xd800 && code < 0xe000 ? kReplacement : code);
    }
  }
  return out;
}

std::string utf8_of_utf16(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t code = text[i];
    if (is_high_surrogate(code) && i + 1 < text.size() && is_low_surrogate(text[i + 1])) {
      append_utf8(out, joined(code, text[++i]));
    } else {
      append_utf8(out, code);
    }
  }
  return out;
}

std::u16string utf16_of(std::string_view utf8) {
  std::u16string out;
  out.reserve(utf8.size());
  while (!utf8.empty()) {
    if (const char16_t surrogate = lone_surrogate(utf8); surrogate != 0) {
      out += surrogate;
      utf8.remove_prefix(3);
      continue;
    }
    const Utf8Char next = first_char(utf8);
    utf8.remove_prefix(next.size);
    if (next.code < 0x10000) {
      out += static_cast<char16_t>(next.code);
    } else {
      out += static_cast<char16_t>(0xd7c0 + (next.code >> 10));
      out += static_cast<char16_t>(0xdc00 + (next.code & 0x3ff));
    }
  }
  return out;
}

}  // namespace cinderscope
