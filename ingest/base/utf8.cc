#include "ingest/base/utf8.h"

namespace cinderscope {

Utf8Char first_char(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&text](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};
  constexpr Utf8Char kInvalid{U'\uFFFD', 1, false};
  const std::uint32_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return kInvalid;
  std::uint32_t code = lead & (0xFFu >> (size + 1));
  for (std::uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kInvalid;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return kInvalid;
  return {static_cast<char32_t>(code), size, true};
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    if (next.valid) {
      out += text.substr(0, next.size);
    } else {
      out += "\xEF\xBF\xBD";
    }
    text.remove_prefix(next.size);
  }
  return out;
}

}  // namespace cinderscope
