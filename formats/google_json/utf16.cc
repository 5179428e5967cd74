#include "formats/google_json/utf16.h"

#include <cstddef>

namespace cinderscope::google_json {
namespace {

constexpr char32_t kReplacement = 0xfffd;

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

constexpr bool is_high_surrogate(char32_t code) {
  return code >= 0xd800 && code < 0xdc00;
}
constexpr bool is_low_surrogate(char32_t code) {
  return code >= 0xdc00 && code < 0xe000;
}
constexpr char32_t joined(char32_t high, char32_t low) {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
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

}  // namespace cinderscope::google_json
