// UTF-16 text, which some Windows tools write, made UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// Text with a byte order mark (FF FE or FE FF); nothing for other text. A lone surrogate becomes
// U+FFFD, an odd last byte is dropped.
std::optional<std::string> utf8_from_utf16(std::string_view bytes);

}  // namespace cinderscope
