// File names that look alike: file systems keep letters with accents as one character or as
// several.
#pragma once

#include <string_view>

namespace cinderscope {

// Their canonical compositions (NFC) are equal. Texts that are no UTF-8 are compared by their
// bytes.
bool same_letters(std::string_view a, std::string_view b);

}  // namespace cinderscope
