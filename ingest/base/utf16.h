// UTF-16 text, which some Windows tools write and Windows calls files by, made UTF-8 and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// Text with a byte order mark (FF FE or FE FF); nothing for other text. A lone surrogate becomes
// U+FFFD, an odd last byte is dropped.
std::optional<std::string> utf8_from_utf16(std::string_view bytes);

// Lone surrogates become the three bytes that UTF-8 would have for them, and are made of such
// bytes. What else is no UTF-8 becomes U+FFFD, byte by byte.
std::string utf8_of_utf16(std::u16string_view text);
std::u16string utf16_of(std::string_view utf8);

}  // namespace cinderscope
