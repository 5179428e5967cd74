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

}  // namespace cinderscope
